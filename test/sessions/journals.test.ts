import assert from "node:assert/strict";
import { appendFile, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../src/core/session/session.ts";
import { times } from "../support/times.ts";
import { derivedOf, idsOf, journalOf, makeHome, never, openIn, openTemporary } from "./temporarySessions.ts";
import { conversation, turnOf, WORKSPACE } from "./turns.ts";

const WINDS = ["Who winds the clock?", "The second keeper [orders.md:3]."] as const;
const CLOCK = conversation([WINDS, ["When?", "Every morning at eight."]]);

async function openClock(t: TestContext) {
	const opened = await openTemporary(t);
	await opened.sessions.append("clock", CLOCK, never);
	return opened;
}

const questionsOf = (turns: readonly TranscriptTurn[]) => turns.map(({ question }) => question);

test("a session is read with all its turns and their events", async (t) => {
	const { sessions } = await openTemporary(t);
	const at = Date.now();
	const call = { id: "1", name: "search_knowledge", input: { query: "clock" } };
	const events: AgentEvent[] = [
		{ kind: "toolStarted", call },
		{ kind: "toolFinished", call, ok: true, text: "1 of 1 passages" },
	];
	const [question, answer] = ["Who winds the clock?", "The second keeper."];
	const entries = conversation([[question, answer]], { at });
	const heard = events.map((event) => ({ kind: "event", at, turn: 0, event }) as const);
	await sessions.append("clock", [...entries.slice(0, 2), ...heard], never);
	assert.equal((await sessions.read("clock", never)).turns[0]?.outcome, undefined);
	await sessions.append("clock", entries.slice(2), never);
	const { session, turns } = await sessions.read("clock", never);
	const asked = { turn: 0, at, question, attachments: [] };
	assert.deepEqual(turns, [{ ...asked, answer, events, outcome: "done", tokens: 15 }]);
	assert.deepEqual(session, {
		...{ id: "clock", title: question, engine: "model", workspace: WORKSPACE },
		...{ createdAt: at, updatedAt: at, turns: 1, tokens: 15, archived: false },
	});
});

test("a torn line of a journal is closed before the next line, and every other line stays", async (t) => {
	const { sessions, home } = await openClock(t);
	const before = await readFile(journalOf(home, "clock"), "utf8");
	await appendFile(journalOf(home, "clock"), '{"kind":"question","at":1,"turn":2,"te');
	await sessions.append("clock", turnOf(2, "By whom?", "By Anna."), never);
	const { turns, session } = await sessions.read("clock", never);
	assert.deepEqual([questionsOf(turns), session.turns], [["Who winds the clock?", "When?", "By whom?"], 3]);
	assert.ok((await readFile(journalOf(home, "clock"), "utf8")).startsWith(before));
});

test("foreign lines, unknown kinds and broken events of a journal are skipped; unknown fields stay", async (t) => {
	const { sessions, home } = await openClock(t);
	const call = { id: "1", name: "search_knowledge", input: {}, by: "hand" };
	const readable = [
		{ kind: "thought", text: "hm", mood: "grim" },
		{ kind: "toolStarted", call },
	];
	const unreadable = [{ kind: "thought", text: 1 }, { kind: "retrieved", hits: [{}] }, { kind: "plan" }];
	const events = [...readable, ...unreadable, { kind: "smell", text: "smoke" }];
	const strange = [
		"not json",
		"null",
		'{"kind":"question"}',
		'{"kind":"constructor","at":1}',
		'{"kind":"answer","at":1,"turn":77,"text":"to no question"}',
		'{"at":5, "kind" : "question", "text":"An old one?", "turn":2}',
		'{"kind":"answer","at":6,"turn":2,"text":"Yes.","spans":[{"path":"a.md","lines":"1"}]}',
		...events.map((event) => JSON.stringify({ kind: "event", at: 1, turn: 0, event })),
	];
	await appendFile(journalOf(home, "clock"), `${strange.join("\n")}\n`);
	const { turns } = await sessions.read("clock", never);
	assert.deepEqual(questionsOf(turns), ["Who winds the clock?", "When?", "An old one?"]);
	assert.partialDeepStrictEqual(turns[2], { answer: "Yes.", outcome: "done", attachments: [] });
	const [hit] = await sessions.search({ text: "an old one", limit: 1 }, never);
	assert.partialDeepStrictEqual(hit, { turn: 2, role: "question" });
	const copy = await sessions.read(await sessions.fork("clock", 1, never), never);
	for (const [first] of [turns, copy.turns]) assert.deepEqual(first?.events, readable);
});

test("an invalid session id never becomes a file name", async (t) => {
	const { sessions } = await openTemporary(t);
	for (const id of ["../facts", "a/b", "a\\b", "", ".", "..", "C:", "a.jsonl", "x".repeat(200), "nul\0"]) {
		await assert.rejects(sessions.append(id, CLOCK, never), { code: "BAD_INPUT" }, id);
		for (const refused of [sessions.read, sessions.delete, sessions.restore])
			await assert.rejects(refused(id, never), { code: "BAD_INPUT" }, id);
	}
});

test("only the owner of a journal can read the file, and a link in place of a journal is not followed", async (t) => {
	const { sessions, home } = await openClock(t);
	if (process.platform === "win32") return t.skip("Windows has other rights and links.");
	assert.equal((await stat(journalOf(home, "clock"))).mode & 0o777, 0o600);
	await writeFile(join(home, "elsewhere"), "");
	await symlink(join(home, "elsewhere"), journalOf(home, "link"));
	await assert.rejects(sessions.append("link", CLOCK, never), { code: "STORE_UNREADABLE" });
	assert.equal(await readFile(join(home, "elsewhere"), "utf8"), "");
});

test("a session that was never started or was deleted gets no turns, until it is restored", async (t) => {
	const { sessions } = await openTemporary(t);
	const add = () => sessions.append("clock", turnOf(2, "When?", "Now."), never);
	const missing = { code: "NOT_FOUND" };
	await assert.rejects(add(), missing);
	await sessions.append("clock", CLOCK, never);
	await sessions.delete("clock", never);
	await assert.rejects(add(), missing);
	await assert.rejects(sessions.read("clock", never), missing);
	assert.deepEqual(await idsOf(sessions), []);
	await sessions.restore("clock", never);
	assert.equal((await sessions.read("clock", never)).turns.length, 2);
	assert.deepEqual(await idsOf(sessions), ["clock"]);
});

test("sessions are listed by last use with their first question or given title; filters also apply to searches", async (t) => {
	const { sessions } = await openTemporary(t);
	const at = Date.now() - 10_000;
	await sessions.append("old", conversation([[`Why\n is ${"it ".repeat(60)}?`, "So."]], { at }), never);
	await sessions.append("new", conversation([["What now?", "This."]], { at: at + 5000 }), never);
	const titles = async (query = {}) =>
		(await sessions.list({ limit: 9, ...query }, never)).sessions.map(({ title }) => title);
	const [first, second = ""] = await titles();
	assert.equal(first, "What now?");
	assert.ok([...second].length <= 80 && second.startsWith("Why is it it") && second.endsWith("…"), second);
	for (const title of ["  Why\tit is ", " "])
		await sessions.append("old", [{ kind: "titled", at: Date.now(), title }], never);
	assert.deepEqual(await titles(), ["What now?", "Why it is"]);
	await sessions.append("new", [{ kind: "archived", at: Date.now(), archived: true }], never);
	assert.deepEqual(await titles(), ["Why it is"]);
	assert.deepEqual(await titles({ archived: true }), ["What now?"]);
	const hits = async (query = {}) =>
		(await sessions.search({ text: "why is it", limit: 9, ...query }, never)).map(
			({ session }) => session.id,
		);
	assert.deepEqual(await hits({ workspace: WORKSPACE }), ["old"]);
	for (const other of [{ workspace: "file:///elsewhere" }, { engine: "cli" }, { since: at + 1000 }])
		assert.deepEqual([...(await titles(other)), ...(await hits(other))], []);
	await sessions.append("old", turnOf(1, "And now?", "Still."), never);
	assert.deepEqual(await titles({ since: at + 1000 }), ["Why it is"]);
	assert.deepEqual(await titles({ offset: 1 }), []);
});

test("a fork begins with the first turns of a session and leaves that session unchanged", async (t) => {
	const { sessions, home } = await openClock(t);
	const before = await readFile(journalOf(home, "clock"), "utf8");
	const fork = await sessions.fork("clock", 1, never);
	await sessions.append(fork, turnOf(1, "Who else?", "Nobody."), never);
	const { turns, session } = await sessions.read(fork, never);
	assert.deepEqual(questionsOf(turns), ["Who winds the clock?", "Who else?"]);
	assert.equal(session.workspace, WORKSPACE);
	const [first = ""] = (await readFile(journalOf(home, fork), "utf8")).split("\n");
	assert.deepEqual(JSON.parse(first).forkOf, { session: "clock", turns: 1 });
	assert.equal(await readFile(journalOf(home, "clock"), "utf8"), before);
	await assert.rejects(sessions.fork("clock", 0, never), { code: "BAD_INPUT" });
	await assert.rejects(sessions.fork("nothing", 1, never), { code: "NOT_FOUND" });
});

test("turns of two windows with the same number are both kept, each with its answer", async (t) => {
	const { sessions } = await openTemporary(t);
	await sessions.append("clock", conversation([["Who?", "Anna."]]), never);
	await sessions.append("clock", turnOf(0, "When?", "At eight."), never);
	const { turns } = await sessions.read("clock", never);
	const shown = turns.map(({ turn, question, answer }) => `${turn} ${question} ${answer}`);
	assert.deepEqual(shown, ["0 Who? Anna.", "1 When? At eight."]);
	const [hit] = await sessions.search({ text: "at eight", limit: 1 }, never);
	assert.equal(hit?.turn, 1);
});

async function outdate(path: string): Promise<void> {
	await writeFile(path, (await readFile(path, "utf8")).replaceAll('"mtimeMs":', '"mtimeMs":1'));
}

for (const [what, harm] of [
	["torn", (path: string) => truncate(path, 150)],
	["garbage", (path: string) => writeFile(path, '{"version":1,"digest":{"summary":{}}}\nnonsense')],
	["of other files", outdate],
	["a link to a missing file", (path: string) => rm(path).then(() => symlink("nowhere", path))],
] as const)
	test(`cached summaries that are ${what} are rebuilt from the journals`, async (t) => {
		const home = await makeHome(t);
		const first = openIn(t, home);
		for (let index = 0; index < 5; index++)
			await first.sessions.append(`s${index}`, conversation([[`Question ${index}?`, "Yes."]]), never);
		const expected = await first.sessions.list({ limit: 9 }, never);
		await harm(join(derivedOf(home), "summaries.jsonl"));
		assert.deepEqual(await openIn(t, home).sessions.list({ limit: 9 }, never), expected);
	});

test("saving a turn in a folder that is not writable fails with advice", async (t) => {
	const home = await makeHome(t);
	await writeFile(join(home, "journals"), "a file in its place");
	const { sessions } = openIn(t, home, { mayFail: true });
	const message = /Saving the session failed .*Check the permissions of that folder/;
	await assert.rejects(sessions.append("clock", CLOCK, never), { code: "STORE_UNREADABLE", message });
});

const FOG = conversation([
	["When are the fog horns tested?", "On the last Tuesday of September, one after the other."],
	["Who winds the clock?", "The second keeper, every morning at eight."],
]);

const chatter = (index: number) =>
	conversation([[`What is the price of parcel ${index}?`, `Parcel ${index} costs ${index * 3} crowns.`]]);

test("new questions and answers are found at once by their words and their meaning", async (t) => {
	const { sessions } = await openTemporary(t);
	const secrets = "Rotate the passwords of the database every spring.";
	await sessions.append("fog", FOG, never);
	await sessions.append("secrets", conversation([["What of the secrets?", secrets]]), never);
	const best = async (text: string) => (await sessions.search({ text, limit: 5 }, never))[0];
	const hit = await best("September Tuesday");
	assert.deepEqual([hit?.session.id, hit?.turn, hit?.role], ["fog", 0, "answer"]);
	assert.match(hit?.excerpt ?? "", /last Tuesday of September/);
	const question = await best("winding clocks");
	assert.deepEqual([question?.session.id, question?.turn], ["fog", 1]);
	assert.equal((await best("db credentials"))?.session.id, "secrets");
});
const snapshotIn = (home: string) => join(derivedOf(home), "index", "messages.snapshot");

for (const [what, harm] of [
	["missing", (home: string) => rm(join(derivedOf(home), "index"), { recursive: true })],
	["half gone", async (home: string) => truncate(snapshotIn(home), (await stat(snapshotIn(home))).size / 2)],
	["garbage", (home: string) => writeFile(snapshotIn(home), "?".repeat(5000))],
] as const)
	test(`messages are found with an index that is ${what}, at a start and during work`, async (t) => {
		const home = await makeHome(t);
		const first = openIn(t, home, { mayFail: true });
		for (let index = 0; index < 60; index++)
			await first.sessions.append(`chatter-${index}`, chatter(index), never);
		await first.settle();
		await harm(home);
		for (const { sessions } of [first, openIn(t, home, { mayFail: true })]) {
			const [hit] = await sessions.search({ text: "price of parcel 41", limit: 1 }, never);
			assert.equal(hit?.session.id, "chatter-41");
		}
	});

test("messages of another window are found, and two windows share an index without duplicates", async (t) => {
	const home = await makeHome(t);
	const [one, other] = [openIn(t, home), openIn(t, home)];
	const add = (index: number) =>
		(index % 2 ? one : other).sessions.append(`chatter-${index}`, chatter(index), never);
	await Promise.all(times(80, add));
	await Promise.all([one.settle(), other.settle()]);
	for (const { sessions } of [one, other]) {
		const hits = await sessions.search({ text: "price of parcel 33", limit: 20 }, never);
		const keys = hits.map(({ session, turn, role }) => `${session.id} ${turn} ${role}`);
		assert.equal(hits[0]?.session.id, "chatter-33");
		assert.equal(new Set(keys).size, keys.length);
	}
	await one.sessions.append("late", conversation([["Where is the spare bulb?", "Below the stairs."]]), never);
	const [late] = await other.sessions.search({ text: "spare bulb", limit: 1 }, never);
	assert.equal(late?.session.id, "late");
});
