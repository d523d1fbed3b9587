import assert from "node:assert/strict";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import type { NewFact } from "../../src/core/session/memory.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { derivedOf, makeHome, never, openIn, openTemporary } from "./temporarySessions.ts";
import { BERIT, conversation, WORKSPACE } from "./turns.ts";

const AT = Date.now() - 60_000;

function chainTurn(turn: number, events: readonly AgentEvent[], answer = "All is reviewed."): JournalEntry[] {
	return [
		{ kind: "question", at: AT, turn, text: "Review the harbour", attachments: [], command: "agents" },
		...events.map((event, index) => ({ kind: "event", at: AT + 10 * index, turn, event }) as const),
		{ kind: "answer", at: AT + 1000, turn, text: answer, outcome: "done" },
	];
}

const begins = (step: string, session: string, attempt = 1): AgentEvent => ({
	...{ kind: "stepStarted", step, agent: "reviewer", session, attempt },
});
const ends = (step: string): AgentEvent => ({
	...{ kind: "stepFinished", step, agent: "reviewer", outcome: "succeeded", text: "No leaks." },
});
const call = { id: "1", name: "view", input: { path: "a.md" } };

const CHAIN: JournalEntry[] = [
	{ kind: "session", at: AT, engine: "model", workspace: WORKSPACE },
	...chainTurn(0, [
		begins("one", "step-one"),
		{ kind: "usage", step: "one", inputTokens: 100, outputTokens: 20 },
		{ kind: "toolStarted", step: "one", call },
		{ kind: "toolFinished", step: "one", call, ok: true, text: "…" },
		ends("one"),
	]),
	...chainTurn(1, [begins("two", "step-two"), { kind: "toolStarted", step: "two", call }]),
];

function stepOf(session: string, step: string, answer: string): JournalEntry[] {
	const [first, ...rest] = conversation([["You are reviewer. Review the harbour", answer]]);
	assert.ok(first?.kind === "session");
	return [{ ...first, partOf: { session, step } }, ...rest];
}

async function openChain(t: Parameters<typeof openTemporary>[0]) {
	const store = await openTemporary(t);
	await store.sessions.append("chain", CHAIN, never);
	await store.sessions.append("step-one", stepOf("chain", "one", "The breakwater has no leaks."), never);
	await store.sessions.append("step-two", stepOf("chain", "two", "The gangway is slippery."), never);
	return store;
}

const listed = async ({ sessions }: Awaited<ReturnType<typeof openChain>>, query = {}) =>
	(await sessions.list({ limit: 9, ...query }, never)).sessions.map(({ id }) => id);

test("a chain is one entry of the list, and its steps are listed on request", async (t) => {
	const store = await openChain(t);
	assert.deepEqual(await listed(store), ["chain"]);
	assert.deepEqual((await listed(store, { steps: true })).sort(), ["step-one", "step-two"]);
	const again = openIn(t, store.home);
	assert.deepEqual((await again.sessions.list({ limit: 9 }, never)).total, 1, "after a restart, too");
});

test("a turn lists each attempt of its steps with start, tokens and current tool", async (t) => {
	const { sessions } = await openChain(t);
	const [first, second] = (await sessions.read("chain", never)).turns;
	assert.deepEqual(first?.runs, [
		{
			...{ step: "one", agent: "reviewer", session: "step-one", attempt: 1, startedAt: AT },
			...{ heardAt: AT + 40, tokens: 120 },
			ended: { at: AT + 40, outcome: "succeeded", text: "No leaks." },
		},
	]);
	const actual = second?.runs?.map(({ step, tool, ended }) => [step, tool, ended]);
	assert.deepEqual(actual, [["two", "view", undefined]]);
	assert.equal(first?.events.filter(({ step }) => step === "one").length, 5);
});

test("deleting a chain deletes its steps, and restoring it restores them", async (t) => {
	const { sessions } = await openChain(t);
	await sessions.delete("chain", never);
	await assert.rejects(sessions.read("step-one", never), { code: "NOT_FOUND" });
	assertMapped(await sessions.listDeleted(never), ({ id }) => id, ["chain"]);
	await sessions.restore("chain", never);
	assert.equal((await sessions.read("step-one", never)).session.partOf?.session, "chain");
});

test("a fork copies what the steps did, but their sessions stay with the original chain", async (t) => {
	const store = await openChain(t);
	const fork = await store.sessions.fork("chain", 2, never);
	const { turns } = await store.sessions.read(fork, never);
	const runs = turns.flatMap((turn) => turn.runs ?? []);
	assertMapped(runs, ({ step, session }) => `${step} ${session}`, ["one undefined", "two undefined"]);
	await store.sessions.delete(fork, never);
	assert.ok(await store.sessions.read("step-one", never));
});

test("the answer of a step is found and recalled as its chain's, at the turn in which it ran", async (t) => {
	const { sessions, memory } = await openChain(t);
	const [hit] = await sessions.search({ text: "slippery gangway", limit: 5 }, never);
	assert.deepEqual([hit?.session.id, hit?.turn, hit?.role], ["chain", 1, "answer"]);
	const asked = await sessions.search({ text: "You are reviewer", limit: 9 }, never);
	assert.ok(!asked.some(({ excerpt }) => excerpt.startsWith("You are")), "what we wrote is not found");
	const query = "Is the gangway slippery? Review the harbour";
	const recalled = await memory.recall({ query, workspace: WORKSPACE, door: "chat" }, never);
	assert.deepEqual([...new Set(recalled.map(({ session }) => session?.id))], ["chain"]);
});

test("a step whose chain is missing is listed as a session", async (t) => {
	const store = await openTemporary(t);
	await store.sessions.append("left", stepOf("gone", "one", "No leaks."), never);
	await store.sessions.append("circle", stepOf("circle", "one", "No leaks."), never);
	assert.deepEqual((await listed(store)).sort(), ["circle", "left"]);
	await store.sessions.search({ text: "leaks", limit: 5 }, never);
	await store.sessions.delete("circle", never);
});

const BY = { owner: WORKSPACE, source: { by: "person" } } as const;
const OIL: NewFact = { text: "The lamp burns oil.", scope: "workspace", ...BY };

async function allText(folder: string): Promise<string> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
	return (await Promise.all(texts)).join("\n");
}

test("clearing deletes the user's sessions, trash and derived data permanently, and nothing of others", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	await own.sessions.append("clock", conversation([["Who winds the brasswork?", "Nobody."]]), never);
	await own.sessions.append("bell", conversation([["Who polishes the brasswork?", "Nobody."]]), never);
	await own.sessions.delete("bell", never);
	await other.sessions.append("horn", conversation([["Who sounds the horn?", "Berit."]]), never);
	await own.settle();
	const { sessions: before } = await own.sessionData.sizes(never);
	assert.deepEqual([before.items, before.bytes > 1000], [2, true]);
	await own.sessionData.clear("sessions", never);
	assert.deepEqual((await own.sessionData.sizes(never)).sessions, { items: 0, bytes: 0 });
	assert.equal((await own.sessions.list({ limit: 9 }, never)).total, 0);
	assert.deepEqual(await own.sessions.listDeleted(never), []);
	assert.deepEqual(await own.sessions.search({ text: "brasswork", limit: 9 }, never), []);
	assert.doesNotMatch(await allText(home), /brasswork/);
	assert.equal((await other.sessions.list({ limit: 9 }, never)).total, 1);
	await own.sessions.append("new", conversation([["Who is new?", "I am."]]), never);
	assert.equal((await own.sessions.search({ text: "new", limit: 9 }, never)).length > 0, true);
});

test("a clearing interrupted by a crash is completed at the next start and spares newer sessions", async (t) => {
	const { home, ...first } = await openTemporary(t);
	await first.sessions.append("old", conversation([["Old?", "Yes."]]), never);
	await first.sessions.append("bin", conversation([["Old, too?", "Yes."]]), never);
	await first.sessions.delete("bin", never);
	await first.close();
	await writeFile(`${derivedOf(home)}.clearing`, "begun\n");
	const before = new Date(Date.now() - 60_000);
	await utimes(join(home, "journals", "old.jsonl"), before, before);
	await utimes(join(home, "trash", "bin.jsonl"), before, before);
	const later = new Date(Date.now() + 60_000);
	const since = join(home, "journals", "since.jsonl");
	await writeFile(since, '{"kind":"session","at":1,"engine":"model","workspace":""}\n');
	await utimes(since, later, later);
	const again = openIn(t, home);
	await again.settle();
	const [left, ...others] = (await again.sessions.list({ limit: 9 }, never)).sessions;
	assert.deepEqual([left?.id, others], ["since", []]);
	assert.ok(!(await readdir(join(home, "derived"))).some((name) => name.endsWith(".clearing")));
});

test("a cleared memory leaves no text on disk, not even of older versions, and keeps other persons' facts", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	const { fact } = await own.memory.remember(OIL, never);
	await own.memory.edit(fact.id, "The lamp burns whale oil.", never);
	await own.memory.remember({ text: "I like whales.", scope: "user", source: { by: "person" } }, never);
	await other.memory.remember({ text: "I like herring.", scope: "user", source: { by: "person" } }, never);
	assert.equal((await own.sessionData.sizes(never)).memory.items, 2);
	await own.sessionData.clear("memory", never);
	assert.deepEqual((await own.sessionData.sizes(never)).memory, { items: 0, bytes: 0 });
	for (const { memory } of [own, openIn(t, home)])
		assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), []);
	const text = await readFile(join(home, "facts.jsonl"), "utf8");
	assert.doesNotMatch(text, /oil|whale/);
	assert.equal((await other.memory.facts({ workspace: WORKSPACE }, never)).length, 1);
});
