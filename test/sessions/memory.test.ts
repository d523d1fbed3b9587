import assert from "node:assert/strict";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { FactScope, Memory, NewFact } from "../../src/core/session/memory.ts";
import { times } from "../support/times.ts";
import { makeHome, never, openIn, openTemporary } from "./temporarySessions.ts";
import { conversation, WORKSPACE } from "./turns.ts";

const here = { workspace: WORKSPACE };

function newFact(text: string, scope: FactScope = "workspace"): NewFact {
	const owner = { workspace: { owner: WORKSPACE }, session: { owner: "clock" }, user: {} }[scope];
	return { text, scope, ...owner, source: { by: "person" } };
}

const recallIn = (memory: Memory, query: string, more: object = {}) =>
	memory.recall({ query, ...here, channel: "chat", ...more }, never);

async function textsOf(memory: Memory, where: { workspace: string; session?: string } = here) {
	return (await memory.facts(where, never)).map(({ text }) => text).sort();
}

test("a fact is remembered for its session, workspace or user, and survives a restart", async (t) => {
	const { memory, home } = await openTemporary(t);
	await memory.remember(newFact("The lamp burns oil."), never);
	await memory.remember(newFact("I like short answers.", "user"), never);
	await memory.remember(newFact("We speak of the north tower.", "session"), never);
	for (const again of [memory, openIn(t, home).memory]) {
		assert.deepEqual(await textsOf(again), ["I like short answers.", "The lamp burns oil."]);
		assert.equal((await textsOf(again, { ...here, session: "clock" })).length, 3);
		assert.deepEqual(await textsOf(again, { workspace: "file:///elsewhere" }), ["I like short answers."]);
	}
});

test("an equal fact is not stored twice in one scope", async (t) => {
	const { memory } = await openTemporary(t);
	const { fact } = await memory.remember(newFact("The lamp burns oil."), never);
	const again = await memory.remember(newFact("  the LAMP burns oil"), never);
	assert.deepEqual(again, { fact, isNew: false, contradicts: [] });
	assert.equal((await memory.remember(newFact("The lamp burns oil.", "user"), never)).isNew, true);
});

for (const [before, after, disagrees] of [
	["The server listens on port 8080.", "The server listens on port 8081.", true],
	["Use tabs in this project.", "Do not use tabs in this project.", true],
	["The database is Postgres.", "The database is MySQL.", true],
	["Indent with tabs.", "Indent with spaces.", true],
	["The server listens on port 8080.", "The team has 12 members.", false],
	["Anna is the second keeper.", "Anna is the second keeper of the north tower.", false],
	["Do not use tabs in this project.", "The harbour master prefers letters.", false],
] as const)
	test(`“${after}” ${disagrees ? "is reported to contradict" : "does not contradict"} “${before}”, and is kept`, async (t) => {
		const { memory } = await openTemporary(t);
		const { fact } = await memory.remember(newFact(before), never);
		const { isNew, contradicts } = await memory.remember(newFact(after), never);
		assert.deepEqual([isNew, contradicts], [true, disagrees ? [fact] : []]);
		assert.equal((await textsOf(memory)).length, 2);
	});

test("a contradicting fact of another workspace stays hidden", async (t) => {
	const { memory } = await openTemporary(t);
	const secret = { ...newFact("The server listens on port 8080."), owner: "file:///elsewhere" };
	await memory.remember(secret, never);
	for (const scope of ["user", "workspace"] as const) {
		const { contradicts } = await memory.remember(newFact("The server listens on port 9090.", scope), never);
		assert.ok(!contradicts.some(({ owner }) => owner === secret.owner));
	}
});

test("a forgotten fact disappears from all windows and from the disk; other facts stay", async (t) => {
	const home = await makeHome(t);
	const [one, other] = [openIn(t, home).memory, openIn(t, home).memory];
	const { fact } = await one.remember(newFact("The naïve Åse’s lamp burns oil."), never);
	await one.remember(newFact("The horn is blown twice."), never);
	await one.edit(fact.id, "The naïve Åse’s lamp burns gas.", never);
	assert.equal((await textsOf(other)).length, 2);
	await one.forget(fact.id, never);
	for (const memory of [one, other, openIn(t, home).memory])
		assert.deepEqual(await textsOf(memory), ["The horn is blown twice."]);
	assert.doesNotMatch(await readFile(join(home, "facts.jsonl"), "utf8"), /lamp|Åse/);
	await assert.rejects(other.edit(fact.id, "The lamp is new.", never), { code: "NOT_FOUND" });
});

test("torn and foreign lines in the file of facts leave other facts intact", async (t) => {
	const { memory, home } = await openTemporary(t);
	await memory.remember(newFact("The lamp burns oil."), never);
	await appendFile(join(home, "facts.jsonl"), 'null\n{"kind":"fact","fact":{"id":1}}\n{"kind":"forgo');
	await memory.remember(newFact("The horn is blown twice."), never);
	for (const again of [memory, openIn(t, home).memory])
		assert.deepEqual(await textsOf(again), ["The horn is blown twice.", "The lamp burns oil."]);
});

test("a fact that is empty, too long or without an owner is refused", async (t) => {
	const { memory } = await openTemporary(t);
	const ownerless: NewFact = { text: "The lamp burns oil.", scope: "workspace", source: { by: "model" } };
	for (const fact of [newFact("  "), newFact("x".repeat(3000)), ownerless])
		await assert.rejects(memory.remember(fact, never), { code: "BAD_INPUT" });
});

test("facts and turns that are relevant to a question are recalled, best first", async (t) => {
	const { memory, sessions } = await openTemporary(t);
	await memory.remember(newFact("The fog horn is blown twice in a minute."), never);
	await memory.remember(newFact("The cook is called Ines."), never);
	const oilKept = ["Where is the oil kept?", "Below the stairs, in the red can."] as const;
	const wound = ["Who winds the clock?", "The second keeper winds it every morning."] as const;
	await sessions.append("clock", conversation([wound, oilKept]), never);
	const recall = (query: string) => recallIn(memory, query);
	const [horn] = await recall("How often is the fog horn blown?");
	assert.equal(horn?.fact?.text, "The fog horn is blown twice in a minute.");
	const [oil] = await recall("the oil in the can");
	assert.deepEqual(oil?.session, { id: "clock", title: "Who winds the clock?", turn: 1 });
	assert.equal(oil?.text, oilKept.join("\n"));
	assert.deepEqual(await recall("quarterly tax declaration"), []);
	await sessions.append("old", conversation([oilKept], { at: Date.now() - 300 * 86_400_000 }), never);
	assert.equal((await recall(oilKept[0]))[0]?.session?.id, "clock", "the newer turn comes first");
});

test("a question is recalled only after its answer", async (t) => {
	const { memory, sessions } = await openTemporary(t);
	const entries = conversation([["Who winds the clock?", "The second keeper."]]);
	await sessions.append("clock", entries.slice(0, 2), never);
	const recall = () => recallIn(memory, "Who winds the clock?", { session: "clock" });
	assert.deepEqual(await recall(), []);
	await sessions.append("clock", entries.slice(2), never);
	assert.equal((await recall()).length, 1);
});

test("turns of another workspace are recalled only in their own session", async (t) => {
	const { memory, sessions } = await openTemporary(t);
	const turns = [["Who winds the clock?", "Anna."] as const, ["With which key?", "The brass key."] as const];
	await sessions.append("clock", conversation(turns), never);
	const elsewhere = { workspace: "file:///elsewhere" };
	assert.deepEqual(await recallIn(memory, "the brass key", elsewhere), []);
	const [own] = await recallIn(memory, "the brass key", { ...elsewhere, session: "clock" });
	assert.equal(own?.session?.turn, 1);
});

test("repeated recalls give equal results, include new turns and omit deleted turns", async (t) => {
	const { memory, sessions, settle } = await openTemporary(t);
	const say = (id: string, question: string, answer: string) =>
		sessions.append(id, conversation([[question, answer]]), never);
	for (const key of times(60, String)) await say(`key-${key}`, `Where is key ${key}?`, `On hook ${key}.`);
	await settle();
	const recall = async (query: string) => (await recallIn(memory, query)).map(({ session }) => session?.id);
	const first = await recall("the hook of key 7");
	assert.ok(first.includes("key-7"));
	assert.deepEqual(await recall("the hook of key 7"), first);
	await say("new", "Where is the silver key?", "In the drawer.");
	assert.equal((await recall("silver key"))[0], "new");
	await sessions.delete("key-7", never);
	assert.ok(!(await recall("the hook of key 7")).includes("key-7"));
});
