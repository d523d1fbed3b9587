import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import type { NewFact } from "../../src/core/session/memory.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { KILLS } from "../support/kills.ts";
import { derivedOf, idsOf, makeHome, never, openIn, openTemporary, textIn } from "./temporarySessions.ts";
import { BERIT, conversation, WORKSPACE } from "./turns.ts";

const AT = Date.now() - 60_000;

function chainTurn(turn: number, events: readonly AgentEvent[]): JournalEntry[] {
	return [
		{ kind: "question", at: AT, turn, text: "Review the harbour", attachments: [], command: "agents" },
		...events.map((event, index) => ({ kind: "event", at: AT + 10 * index, turn, event }) as const),
		{ kind: "answer", at: AT + 1000, turn, text: "All is reviewed.", outcome: "done" },
	];
}

const begins = (step: string): AgentEvent => ({
	...{ kind: "stepStarted", step, agent: "reviewer", session: `step-${step}`, attempt: 1 },
});
const call = { id: "1", name: "view", input: { path: "a.md" } };

const CHAIN: JournalEntry[] = [
	{ kind: "session", at: AT, engine: "model", workspace: WORKSPACE },
	...chainTurn(0, [
		begins("one"),
		{ kind: "usage", step: "one", inputTokens: 100, outputTokens: 20 },
		{ kind: "toolStarted", step: "one", call },
		{ kind: "toolFinished", step: "one", call, ok: true, text: "…" },
		{ kind: "stepFinished", step: "one", agent: "reviewer", outcome: "succeeded", text: "No leaks." },
	]),
	...chainTurn(1, [begins("two"), { kind: "toolStarted", step: "two", call }]),
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

test("a chain is listed as one entry, and its steps are listed on request", async (t) => {
	const { sessions, home } = await openChain(t);
	assert.deepEqual(await idsOf(sessions), ["chain"]);
	assert.deepEqual((await idsOf(sessions, { steps: true })).sort(), ["step-one", "step-two"]);
	assert.deepEqual(await idsOf(openIn(t, home).sessions), ["chain"]);
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
	assertMapped(second?.runs ?? [], ({ step, tool, ended }) => [step, tool, ended], [
		["two", "view", undefined],
	]);
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

test("a fork copies the events of the steps, whose sessions stay with the original chain", async (t) => {
	const { sessions } = await openChain(t);
	const fork = await sessions.fork("chain", 2, never);
	const runs = (await sessions.read(fork, never)).turns.flatMap((turn) => turn.runs ?? []);
	assertMapped(runs, ({ step, session }) => `${step} ${session}`, ["one undefined", "two undefined"]);
	await sessions.delete(fork, never);
	assert.ok(await sessions.read("step-one", never));
});

test("the answer of a step is found and recalled as an answer of its chain, at the turn in which the step ran", async (t) => {
	const { sessions, memory } = await openChain(t);
	const [hit] = await sessions.search({ text: "slippery gangway", limit: 5 }, never);
	assert.deepEqual([hit?.session.id, hit?.turn, hit?.role], ["chain", 1, "answer"]);
	const asked = await sessions.search({ text: "You are reviewer", limit: 9 }, never);
	assert.ok(!asked.some(({ excerpt }) => excerpt.startsWith("You are")), "our own prompt is not found");
	const query = "Is the gangway slippery? Review the harbour";
	const recalled = await memory.recall({ query, workspace: WORKSPACE, channel: "chat" }, never);
	assert.deepEqual([...new Set(recalled.map(({ session }) => session?.id))], ["chain"]);
});

test("a step whose chain is missing is listed as a session", async (t) => {
	const { sessions } = await openTemporary(t);
	for (const [id, chain] of Object.entries({ left: "gone", circle: "circle" }))
		await sessions.append(id, stepOf(chain, "one", "No leaks."), never);
	assert.deepEqual((await idsOf(sessions)).sort(), ["circle", "left"]);
	await sessions.search({ text: "leaks", limit: 5 }, never);
	await sessions.delete("circle", never);
});

const fact = (text: string): NewFact => ({ text, scope: "user", source: { by: "person" } });

test("clearing permanently deletes the user's sessions, trash and derived data, but no data of others", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	for (const [{ sessions }, id, question] of [
		[own, "clock", "Who winds the brasswork?"],
		[own, "bell", "Who polishes the brasswork?"],
		[other, "horn", "Who sounds the horn?"],
	] as const)
		await sessions.append(id, conversation([[question, "Nobody."]]), never);
	await own.sessions.delete("bell", never);
	await own.settle();
	const { sessions: before } = await own.sessionData.sizes(never);
	assert.deepEqual([before.items, before.bytes > 1000], [2, true]);
	await own.sessionData.clear("sessions", never);
	assert.deepEqual((await own.sessionData.sizes(never)).sessions, { items: 0, bytes: 0 });
	assert.deepEqual([await idsOf(own.sessions), await own.sessions.listDeleted(never)], [[], []]);
	assert.deepEqual(await own.sessions.search({ text: "brasswork", limit: 9 }, never), []);
	assert.doesNotMatch(await textIn(home), /brasswork/);
	assert.deepEqual(await idsOf(other.sessions), ["horn"]);
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
	const header = '{"kind":"session","at":1,"engine":"model","workspace":""}\n';
	await writeFile(join(home, "journals/since.jsonl"), header);
	const ages = { "journals/old": -1, "trash/bin": -1, "journals/since": 1 };
	for (const [file, minutes] of Object.entries(ages)) {
		const time = new Date(Date.now() + minutes * 60_000);
		await utimes(join(home, `${file}.jsonl`), time, time);
	}
	const { sessions, settle } = openIn(t, home);
	await settle();
	assert.deepEqual(await idsOf(sessions), ["since"]);
	assert.ok(!(await readdir(join(home, "derived"))).some((name) => name.endsWith(".clearing")));
});

test("a cleared memory leaves no text on disk, even of older versions, and keeps other persons' facts", async (t) => {
	const home = await makeHome(t);
	const [own, other] = [openIn(t, home), openIn(t, home, { reader: [BERIT] })];
	const { fact: first } = await own.memory.remember(fact("The lamp burns oil."), never);
	await own.memory.edit(first.id, "The lamp burns whale oil.", never);
	await own.memory.remember(fact("I like whales."), never);
	await other.memory.remember(fact("I like herring."), never);
	assert.equal((await own.sessionData.sizes(never)).memory.items, 2);
	await own.sessionData.clear("memory", never);
	assert.deepEqual((await own.sessionData.sizes(never)).memory, { items: 0, bytes: 0 });
	for (const { memory } of [own, openIn(t, home)])
		assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), []);
	assert.doesNotMatch(await readFile(join(home, "facts.jsonl"), "utf8"), /oil|whale/);
	assert.equal((await other.memory.facts({ workspace: WORKSPACE }, never)).length, 1);
});

test(`a process killed at any point loses no turn reported as saved, ${KILLS} times`, async (t) => {
	const home = await makeHome(t);
	const saved: string[] = [];
	for (let kill = 0; kill < KILLS; kill++) {
		// Three runs share sessions and continue after torn lines; the third run also fills the index.
		const name = `run${kill - (kill % 3)}`;
		const mode = kill % 3 === 2 ? "indexed" : "journals";
		const lines = mode === "indexed" ? 60 + ((kill * 7) % 80) : (kill * 7) % 40;
		saved.push(...(await runUntil(lines, { home, name, run: kill, mode })));
	}
	assert.ok(saved.length >= KILLS);
	const { sessions, settle } = openIn(t, home, { mayFail: true });
	for (const [id, texts] of bySession(saved)) {
		const { turns } = await sessions.read(id, never);
		const answered = new Set(turns.filter(({ answer }) => answer !== "").map(({ question }) => question));
		assertNone(texts.filter(([, text = ""]) => !answered.has(text)));
	}
	const { total } = await sessions.list({ limit: 1 }, never);
	assert.equal(total, (await readdir(join(home, "journals"))).length);
	await settle();
	const [id, text = ""] = saved.at(-1)?.split("\t") ?? [];
	const hits = await sessions.search({ text, limit: 500 }, never);
	assert.ok(hits.some(({ session, excerpt }) => session.id === id && excerpt === text));
});

test("two processes that write the same sessions concurrently keep all lines intact", async (t) => {
	const home = await makeHome(t);
	const runs = [1, 2].map((run) => runUntil(150, { home, name: "shared", run, mode: "journals" }));
	const saved = (await Promise.all(runs)).flat();
	const { sessions } = openIn(t, home);
	for (const [id, lines] of bySession(saved)) {
		const questions = (await sessions.read(id, never)).turns.map(({ question }) => question);
		assertNone(lines.filter(([, text = ""]) => !questions.includes(text)));
		for (const question of questions)
			assert.match(question, new RegExp(`^question \\d+ of run [12] in ${id}$`));
		assert.deepEqual([...new Set(questions)], questions);
	}
});

function bySession(saved: readonly string[]) {
	const parts = saved.map((line) => line.split("\t"));
	return Map.groupBy(parts, ([id = ""]) => id);
}
async function runUntil(
	lines: number,
	{ home, name, run, mode }: { home: string; name: string; run: number; mode: "journals" | "indexed" },
): Promise<string[]> {
	const program = new URL("./appendProgram.ts", import.meta.url);
	const child = fork(program, [home, name, String(run), mode], { silent: true });
	let output = "";
	for await (const chunk of child.stdout?.setEncoding("utf8") ?? []) {
		output += chunk;
		if (output.split("\n").length > lines) child.kill("SIGKILL");
	}
	// Ignores a line torn by the kill.
	return output.split("\n").slice(0, -1);
}
