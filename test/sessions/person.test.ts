import assert from "node:assert/strict";
import { appendFile, chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Channel } from "../../src/core/permission/permission.ts";
import type { NewFact } from "../../src/core/session/memory.ts";
import { assertNone } from "../support/assertNone.ts";
import { idsOf, journalOf, makeHome, never, openIn, openTemporary, textIn } from "./temporarySessions.ts";
import { ANNA, BERIT, conversation, NOTHING_HIDDEN, turnOf, WORKSPACE } from "./turns.ts";

const CLOCK = conversation([["Who winds the clock?", "The second keeper."]]);
const OIL: NewFact = { text: "The lamp burns oil.", scope: "user", source: { by: "person" } };
const MISSING = { code: "NOT_FOUND" };

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

test("data without a person belongs to everyone, data with an invalid person to nobody", async (t) => {
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

test("a session belongs to its owner whatever the caller states, and other persons cannot reach it", async (t) => {
	const { home, ...anna } = await openTemporary(t);
	const [begun, ...others] = CLOCK;
	await anna.sessions.append("clock", [{ ...begun, person: BERIT } as (typeof CLOCK)[0], ...others], never);
	await anna.sessions.append("bin", CLOCK, never);
	await anna.sessions.delete("bin", never);
	const files = () =>
		Promise.all(["journals/clock", "trash/bin"].map((name) => readFile(join(home, `${name}.jsonl`), "utf8")));
	const before = await files();
	const { sessions, memory, settle } = openIn(t, home, { reader: [BERIT] });
	assertNone(await idsOf(sessions));
	assertNone(await sessions.search({ text: "clock keeper", limit: 9 }, never));
	const query = { query: "clock keeper", workspace: WORKSPACE, channel: "chat" } as const;
	for (const asked of [query, { ...query, session: "clock" }]) assertNone(await memory.recall(asked, never));
	for (const refused of [sessions.read, sessions.delete])
		await assert.rejects(refused("clock", never), MISSING);
	await assert.rejects(sessions.fork("clock", 1, never), MISSING);
	await assert.rejects(sessions.restore("bin", never), MISSING);
	const archived = [{ kind: "archived", at: 1, archived: true }] as const;
	for (const entries of [turnOf(1, "When?", "Now."), CLOCK, archived])
		await assert.rejects(sessions.append("clock", entries, never), MISSING);
	// A deleted session never replaces another person's session of the same id in the trash.
	await sessions.append("bin", CLOCK, never);
	await assert.rejects(sessions.delete("bin", never), MISSING);
	await settle();
	assert.deepEqual(await files(), before);
	assert.equal((await anna.sessions.read("clock", never)).turns.length, 1);
	assert.equal((await anna.sessions.search({ text: "clock", limit: 9 }, never))[0]?.session.id, "clock");
});

test("another person cannot recall, match, edit or forget a fact", async (t) => {
	const home = await makeHome(t);
	const [{ memory: anna }, { memory: berit }] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	const { fact } = await anna.remember(OIL, never);
	assertNone(await berit.facts({ workspace: WORKSPACE }, never));
	assertNone(await berit.recall({ query: "lamp oil", workspace: WORKSPACE, channel: "chat" }, never));
	for (const refused of [() => berit.edit(fact.id, "Gas.", never), () => berit.forget(fact.id, never)])
		await assert.rejects(refused, MISSING);
	const said = await berit.remember({ ...OIL, text: "The lamp does not burn oil." }, never);
	assert.deepEqual([said.isNew, said.contradicts], [true, []]);
	assert.deepEqual(await anna.facts({ workspace: WORKSPACE }, never), [fact]);
});

test("a person who adds an identity keeps the data of the earlier identity", async (t) => {
	const { home, ...before } = await openTemporary(t);
	await before.sessions.append("clock", CLOCK, never);
	const { sessions } = openIn(t, home, { reader: [BERIT, ANNA] });
	await sessions.append("clock", turnOf(1, "When?", "Every morning."), never);
	await sessions.append("bell", CLOCK, never);
	assert.equal((await idsOf(sessions)).length, 2);
	assert.deepEqual(await idsOf(before.sessions), ["clock"]);
});

test("a journal without a header goes to its next writer; any other journal keeps its owner", async (t) => {
	const home = await makeHome(t);
	await plant(home, "clock", BERIT);
	await writeFile(journalOf(home, "torn"), '{"kind":"session","at":1,"engine":"model","workspace":"","per');
	const { sessions } = openIn(t, home);
	await sessions.append("torn", turnOf(0, "When?", "Now."), never);
	assert.deepEqual(await idsOf(sessions), ["torn"]);
	assert.deepEqual(await idsOf(openIn(t, home, { reader: [BERIT] }).sessions), ["clock"]);
	await appendFile(journalOf(home, "clock"), `${JSON.stringify({ ...CLOCK[0], person: ANNA })}\n`);
	assert.deepEqual(await idsOf(sessions), ["torn"]);
	await plant(home, "clock", ANNA);
	assert.deepEqual((await idsOf(sessions)).sort(), ["clock", "torn"]);
});

test("unreadable journals do not hide the user's own", async (t) => {
	if (process.platform === "win32" || process.getuid?.() === 0)
		return t.skip("This user may read every file.");
	const home = await makeHome(t);
	await plant(home, "closed", BERIT);
	await chmod(journalOf(home, "closed"), 0);
	const { sessions } = openIn(t, home);
	await sessions.append("clock", CLOCK, never);
	assert.deepEqual(await idsOf(sessions), ["clock"]);
	await assert.rejects(sessions.read("closed", never), MISSING);
});

test("only the user's own sessions are removed from the trash", async (t) => {
	const home = await makeHome(t);
	const old = new Date(Date.now() - 31 * 86_400_000);
	for (const [id, person] of Object.entries({ mine: ANNA, theirs: BERIT })) {
		await plant(home, id, person);
		const { sessions, close } = openIn(t, home, { reader: [person] });
		await sessions.delete(id, never);
		// Closing also empties the trash.
		await close();
		await utimes(join(home, "trash", `${id}.jsonl`), old, old);
	}
	const { sessions, close } = openIn(t, home);
	await sessions.list({ limit: 1 }, never);
	await close();
	assert.deepEqual(await readdir(join(home, "trash")), ["theirs.jsonl"]);
});

test("old data derived from all persons is removed, and new derived data omits texts of others", async (t) => {
	const home = await makeHome(t);
	await writeFile(join(home, "summaries.jsonl"), "Who winds the clock?");
	await mkdir(join(home, "index"));
	await plant(home, "theirs", BERIT);
	const { sessions, settle, close } = openIn(t, home);
	await sessions.append("bell", conversation([["Who rings the bell?", "Nobody."]]), never);
	await settle();
	await close();
	assert.deepEqual((await readdir(home)).sort(), ["derived", "journals"]);
	assert.doesNotMatch(await textIn(join(home, "derived")), /winds/);
});

test("a fact keeps its person and policies, and is recalled only if both allow the recall", async (t) => {
	const home = await makeHome(t);
	const said = { ...OIL, source: { by: "model", session: "clock" } } as const;
	const { fact } = await openIn(t, home).memory.remember(said, never);
	const [line = ""] = (await readFile(join(home, "facts.jsonl"), "utf8")).split("\n");
	assert.deepEqual(JSON.parse(line), { kind: "fact", fact });
	assert.deepEqual([fact.person, fact.rules], [ANNA, await NOTHING_HIDDEN.rules()]);
	const recalled = (mcp: readonly string[]) => {
		const rules = async () => ({ chat: [], tools: [], cli: [], mcp: [...mcp] });
		const { memory } = openIn(t, home, { visibility: { ...NOTHING_HIDDEN, rules } });
		const at = async (channel: Channel) =>
			(await memory.recall({ query: "lamp oil", workspace: WORKSPACE, channel }, never)).length;
		return Promise.all([at("chat"), at("mcp")]);
	};
	assert.deepEqual(await recalled([]), [1, 1]);
	assert.deepEqual(await recalled(["salaries"]), [1, 0]);
	await plantFacts(home, { ...fact, rules: { mcp: 5 } });
	assert.deepEqual(await recalled(["salaries"]), [1, 0], "unreadable rules count as none");
});
