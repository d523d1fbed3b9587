import assert from "node:assert/strict";
import { appendFile, chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Door } from "../../src/core/permission/permission.ts";
import type { NewFact } from "../../src/core/session/memory.ts";
import type { Sessions } from "../../src/core/session/session.ts";
import type { Visibility } from "../../src/sessions/visibility/visibility.ts";
import { assertNone } from "../support/assertNone.ts";
import { journalOf, makeHome, never, openIn, openTemporary } from "./temporarySessions.ts";
import { ANNA, BERIT, conversation, NOTHING_HIDDEN, turnOf, WORKSPACE } from "./turns.ts";

const CLOCK = conversation([["Who winds the clock?", "The second keeper."]]);
const OIL: NewFact = { text: "The lamp burns oil.", scope: "user", source: { by: "person" } };

const idsOf = async (sessions: Sessions) =>
	(await sessions.list({ limit: 99 }, never)).sessions.map(({ id }) => id);

async function plant(home: string, id: string, person?: unknown): Promise<void> {
	await mkdir(join(home, "journals"), { recursive: true });
	const [begun, ...others] = CLOCK;
	const lines = [{ ...begun, ...(person !== undefined && { person }) }, ...others];
	await writeFile(journalOf(home, id), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function plantFacts(home: string, ...facts: readonly object[]): Promise<void> {
	const lines = facts.map((fact) => `${JSON.stringify({ kind: "fact", fact })}\n`);
	await writeFile(join(home, "facts.jsonl"), lines.join(""));
}

test("data without a person belongs to everyone, data with an unreadable person to nobody", async (t) => {
	const home = await makeHome(t);
	await plant(home, "old");
	for (const [index, person] of [null, "anna", {}, { source: "system" }, { id: "anna" }, []].entries())
		await plant(home, `odd${index}`, person);
	await plant(home, "other-source", { ...ANNA, source: "github" });
	const old = { id: "old", ...OIL, createdAt: 1, updatedAt: 1 };
	await plantFacts(home, old, { ...old, id: "odd", person: "anna" });
	for (const reader of [ANNA, BERIT]) {
		const { sessions, memory } = openIn(t, home, { reader: [reader] });
		assert.deepEqual(await idsOf(sessions), ["old"]);
		assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), [old]);
	}
});

test("a session belongs to its owner whatever the caller says, and is isolated from other persons", async (t) => {
	const { home, ...anna } = await openTemporary(t);
	const [begun, ...others] = CLOCK;
	assert.ok(begun?.kind === "session");
	await anna.sessions.append("clock", [{ ...begun, person: BERIT }, ...others], never);
	await anna.sessions.append("bin", CLOCK, never);
	await anna.sessions.delete("bin", never);
	const files = async () => {
		const names = ["journals/clock.jsonl", "trash/bin.jsonl"];
		return Promise.all(names.map((name) => readFile(join(home, name), "utf8")));
	};
	const before = await files();
	const { sessions, memory, settle } = openIn(t, home, { reader: [BERIT] });
	const missing = { code: "NOT_FOUND" };
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 0);
	assert.deepEqual(await sessions.search({ text: "clock keeper", limit: 9 }, never), []);
	const query = { query: "clock keeper", workspace: WORKSPACE, door: "chat" } as const;
	for (const asked of [query, { ...query, session: "clock" }]) assertNone(await memory.recall(asked, never));
	await assert.rejects(sessions.read("clock", never), missing);
	await assert.rejects(sessions.fork("clock", 1, never), missing);
	await assert.rejects(sessions.delete("clock", never), missing);
	await assert.rejects(sessions.restore("bin", never), missing);
	const archived = [{ kind: "archived", at: 1, archived: true }] as const;
	for (const entries of [turnOf(1, "When?", "Now."), CLOCK, archived])
		await assert.rejects(sessions.append("clock", entries, never), missing);
	// A session with the id of another person's deleted one does not replace that in the trash.
	await sessions.append("bin", CLOCK, never);
	await assert.rejects(sessions.delete("bin", never), missing);
	await settle();
	assert.deepEqual(await files(), before);
	assert.equal((await anna.sessions.read("clock", never)).turns.length, 1);
	assert.equal((await anna.sessions.search({ text: "clock", limit: 9 }, never))[0]?.session.id, "clock");
});

test("a fact is not recalled, matched, edited or forgotten by another person", async (t) => {
	const home = await makeHome(t);
	const anna = openIn(t, home).memory;
	const berit = openIn(t, home, { reader: [BERIT] }).memory;
	const { fact } = await anna.remember(OIL, never);
	assert.deepEqual(await berit.facts({ workspace: WORKSPACE }, never), []);
	assert.deepEqual(await berit.recall({ query: "lamp oil", workspace: WORKSPACE, door: "chat" }, never), []);
	await assert.rejects(berit.edit(fact.id, "Gas.", never), { code: "NOT_FOUND" });
	await assert.rejects(berit.forget(fact.id, never), { code: "NOT_FOUND" });
	const said = await berit.remember({ ...OIL, text: "The lamp does not burn oil." }, never);
	assert.deepEqual([said.isNew, said.contradicts], [true, []]);
	assert.deepEqual(await anna.facts({ workspace: WORKSPACE }, never), [fact]);
});

test("a person who adds an identity keeps the data of the earlier one", async (t) => {
	const { home, ...before } = await openTemporary(t);
	await before.sessions.append("clock", CLOCK, never);
	const { sessions } = openIn(t, home, { reader: [BERIT, ANNA] });
	await sessions.append("clock", turnOf(1, "When?", "Every morning."), never);
	await sessions.append("bell", CLOCK, never);
	assert.equal((await idsOf(sessions)).length, 2);
	assert.deepEqual(await idsOf(before.sessions), ["clock"]);
});

test("a journal without a header goes to its next writer; any other keeps its owner", async (t) => {
	const home = await makeHome(t);
	await plant(home, "clock", BERIT);
	const begun = '{"kind":"session","at":1,"engine":"model","workspace":"","per';
	await writeFile(journalOf(home, "torn"), begun);
	const { sessions } = openIn(t, home);
	await sessions.append("torn", turnOf(0, "When?", "Now."), never);
	assert.deepEqual(await idsOf(sessions), ["torn"]);
	const berit = openIn(t, home, { reader: [BERIT] });
	await assert.rejects(berit.sessions.read("torn", never), { code: "NOT_FOUND" });
	assert.deepEqual(await idsOf(berit.sessions), ["clock"]);
	await appendFile(journalOf(home, "clock"), `${JSON.stringify({ ...CLOCK[0], person: ANNA })}\n`);
	assert.deepEqual(await idsOf(sessions), ["torn"]);
	await plant(home, "clock", ANNA);
	assert.deepEqual((await idsOf(sessions)).sort(), ["clock", "torn"]);
});

test("journals that cannot be read do not hide the user's own", async (t) => {
	if (process.platform === "win32" || process.getuid?.() === 0)
		return t.skip("Nothing is kept from this user.");
	const home = await makeHome(t);
	await plant(home, "closed", BERIT);
	await chmod(journalOf(home, "closed"), 0);
	const { sessions } = openIn(t, home);
	await sessions.append("clock", CLOCK, never);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
	await assert.rejects(sessions.read("closed", never), { code: "NOT_FOUND" });
});

test("only the user's own sessions are removed from the trash", async (t) => {
	const home = await makeHome(t);
	const old = new Date(Date.now() - 31 * 86_400_000);
	for (const [id, person] of Object.entries({ mine: ANNA, theirs: BERIT })) {
		await plant(home, id, person);
		const { sessions, close } = openIn(t, home, { reader: [person] });
		await sessions.delete(id, never);
		// This empties the trash, too.
		await close();
		await utimes(join(home, "trash", `${id}.jsonl`), old, old);
	}
	const { sessions, close } = openIn(t, home);
	await sessions.list({ limit: 1 }, never);
	await close();
	assert.deepEqual(await readdir(join(home, "trash")), ["theirs.jsonl"]);
});

test("old data derived from all persons is removed, and new derived data has no texts of others", async (t) => {
	const home = await makeHome(t);
	await writeFile(join(home, "summaries.jsonl"), "Who winds the clock?");
	await mkdir(join(home, "index"));
	await plant(home, "theirs", BERIT);
	const { sessions, settle, close } = openIn(t, home);
	await sessions.append("bell", conversation([["Who rings the bell?", "Nobody."]]), never);
	await settle();
	await close();
	assert.deepEqual((await readdir(home)).sort(), ["derived", "journals"]);
	const files = await readdir(join(home, "derived"), { recursive: true, withFileTypes: true });
	for (const file of files.filter((entry) => entry.isFile()))
		assert.ok(!(await readFile(join(file.parentPath, file.name))).includes("winds"), file.name);
});
const hiding = (...mcp: string[]) => {
	const rules = { chat: [], tools: [], cli: [], mcp };
	return { ...NOTHING_HIDDEN, rules: async () => rules };
};

test("a fact keeps its person and policies, and is recalled only if both allow it", async (t) => {
	const home = await makeHome(t);
	const said = { ...OIL, source: { by: "model", session: "clock" } } as const;
	const { fact } = await openIn(t, home).memory.remember(said, never);
	const [line = ""] = (await readFile(join(home, "facts.jsonl"), "utf8")).split("\n");
	assert.deepEqual(JSON.parse(line), { kind: "fact", fact });
	assert.deepEqual([fact.person, fact.rules], [ANNA, await NOTHING_HIDDEN.rules()]);
	const recalled = async (visibility: Visibility) => {
		const { memory } = openIn(t, home, { visibility });
		const at = async (door: Door) =>
			(await memory.recall({ query: "lamp oil", workspace: WORKSPACE, door }, never)).length;
		return [await at("chat"), await at("mcp")];
	};
	assert.deepEqual(await recalled(NOTHING_HIDDEN), [1, 1]);
	assert.deepEqual(await recalled(hiding("salaries")), [1, 0]);
	await plantFacts(home, { ...fact, rules: { mcp: 5 } });
	assert.deepEqual(await recalled(hiding("salaries")), [1, 0], "rules that cannot be read are none");
});
