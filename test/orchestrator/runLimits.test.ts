import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { storedEvent } from "../../src/core/session/journalEntry.ts";
import { systemClock } from "../../src/orchestrator/run/clock.ts";
import { type EarlierRun, earlierRun, resumption } from "../../src/orchestrator/run/earlierRun.ts";
import { createResultCache } from "../../src/orchestrator/run/resultCache.ts";
import { runChain } from "../../src/orchestrator/run/runChain.ts";
import { never } from "../sessions/temporarySessions.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { outcomes, reads, run } from "./runScripted.ts";
import {
	type Act,
	agentNamed,
	chainOf,
	hangs,
	ignoresStop,
	inTurn,
	LIMITS,
	runOf,
	says,
	scriptedRunner,
	throws,
} from "./scripted.ts";

const hangsAfter = (event: AgentEvent): Act =>
	async function* (...given) {
		yield event;
		yield* hangs(...given);
	};

const write: AgentEvent = { kind: "diff", callId: "1", path: "/w/a.ts", oldText: "", newText: "x" };

test("a step that took too long is tried once more, and then has failed", async () => {
	const second = await run(chainOf(["a"]), { a: inTurn(hangs, says("in time")) });
	assert.equal(second.report.results[0]?.output, "in time");
	const { report, clock, events } = await run(chainOf(["a", "b"]), { a: hangs });
	assert.deepEqual(outcomes(report), ["a timedOut", "b succeeded"]);
	assert.equal(report.results[0]?.output, "so far\n\nIt took longer than 300 s.");
	assert.deepEqual(clock.waits.filter((wait) => wait === 300_000).length, 3);
	assert.deepEqual(
		events.flatMap((event) => (event.kind === "stepStarted" ? [`${event.step} ${event.attempt}`] : [])),
		["a 1", "a 2", "b 1"],
	);
});

for (const [what, act, writers, tries] of [
	["that changed something, although it may not,", hangsAfter(write), [], 1],
	["that changed something", hangsAfter(write), ["a"], 1],
	["that may change something and called anything", hangsAfter(reads("x")), ["a"], 1],
	["that only reads and called something", hangsAfter(reads("x")), [], 2],
] as const)
	test(`a step ${what} is tried ${tries === 1 ? "once" : "again"}`, async () => {
		const { report, runner } = await run(chainOf(["a"]), { a: act }, { writers });
		assert.deepEqual([outcomes(report), runner.seen.length], [["a timedOut"], tries]);
	});

test("an engine that cannot be reached is asked again, after longer and longer times", async () => {
	const gone = new Error("failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
	const { report, clock } = await run(chainOf(["a"]), { a: throws(gone) });
	assert.deepEqual(outcomes(report), ["a failed"]);
	const actual = clock.waits.filter((wait) => wait < 10_000);
	assert.deepEqual(actual, [1_000, 2_000, 4_000]);
	const back = await run(chainOf(["a"]), { a: inTurn(throws(gone), says("back")) });
	assert.deepEqual(outcomes(back.report), ["a succeeded"]);
});

test("a step that failed hands on what it said and why, and the chain goes on or stops as it says", async () => {
	const acts = { a: throws(new Error("boom")) };
	const on = await run(chainOf(["a", "b"]), acts);
	assert.deepEqual(outcomes(on.report), ["a failed", "b succeeded"]);
	assert.match(on.runner.seen[1]?.prompt ?? "", /- Agent 1 \(a\):\n```\nboom\n```/);
	const stop = await run(chainOf(["a", "b"], { onFailure: "stop" }), acts);
	assert.deepEqual(outcomes(stop.report), ["a failed", "b skipped"]);
	assert.equal(stop.report.outcome, "stopped");
});

test("cancelling keeps what is done, and begins nothing more", async () => {
	const person = new AbortController();
	const act: Act = async function* (...given) {
		person.abort();
		yield* hangs(...given);
	};
	const { report, runner } = await run(chainOf(["a", "b", "c"]), { b: act }, { signal: person.signal });
	assert.deepEqual(outcomes(report), ["a succeeded", "b cancelled", "c skipped"]);
	assert.equal(report.outcome, "cancelled");
	assert.equal(report.context.agentResults[0]?.output, "a answers");
	assert.equal(runner.seen.length, 2);
});

test("one that may change something and does not stop ends the chain, for it may still be at work", async () => {
	const writer = await run(chainOf(["a", "b"]), { a: ignoresStop }, { writers: ["a"] });
	assert.deepEqual(outcomes(writer.report), ["a timedOut", "b skipped"]);
	const reader = await run(chainOf(["a", "b"]), { a: ignoresStop });
	assert.deepEqual(outcomes(reader.report), ["a timedOut", "b succeeded"]);
});

test("a step that only reads is answered from an earlier run, until its file, its prompt, its tools or anything else changes", async () => {
	const cache = createResultCache();
	const played = async (more: Parameters<typeof agentNamed>[1] = {}, prompt = "one") => {
		const agents = new Map(["a", "w"].map((name) => [name, agentNamed(name, name === "a" ? more : {})]));
		const chain = chainOf([[{ id: "a", agent: "a", prompt }], "w"]);
		const { runner } = await run(chain, {}, { writers: ["w"], ports: { cache }, run: { agents } });
		return runner.seen.map(({ id }) => id).join();
	};
	const source = { uri: "file:///a.md", level: "workspace", hash: "2" } as const;
	const ran = [await played(), await played(), await played({ source }), await played({ tools: ["grep"] })];
	assert.deepEqual(ran, ["a,w", "w", "a,w", "a,w"]);
	assert.equal(await played({}, "two"), "a,w");
	cache.clear();
	assert.equal(await played(), "a,w");
});

test("what was read before a change, failed, or changed something unasked, is not kept", async () => {
	const cache = createResultCache();
	const act: Act = async function* () {
		cache.clear();
		yield { kind: "text", text: "old" };
	};
	await run(chainOf(["a"]), { a: act }, { ports: { cache } });
	assert.equal(cache.size, 0);
	await run(chainOf(["a", "b"]), { a: throws(new Error("no")), b: says("x", write) }, { ports: { cache } });
	assert.equal(cache.size, 0);
});

test("a run that has spent its tokens stops what is at work, and begins nothing more", async () => {
	const spent: number[] = [];
	const usage: AgentEvent = { kind: "usage", inputTokens: 900, outputTokens: 100 };
	const scope = { limits: { ...LIMITS, tokens: 1000 }, onSpent: (tokens: number) => void spent.push(tokens) };
	const { report } = await run(chainOf(["a", "b"]), { a: hangsAfter(usage) }, { run: { scope } });
	assert.deepEqual(outcomes(report), ["a failed", "b skipped"]);
	assert.match(report.results[0]?.output ?? "", /The 1,000 tokens of the run are spent\./);
	assert.deepEqual(spent.slice(0, 1), [1_000]);
});

test("what a model was given counts before its engine has counted, and not twice", async () => {
	const given: AgentEvent = { kind: "window", usedTokens: 900, maxTokens: 8_000 };
	const usage: AgentEvent = { kind: "usage", inputTokens: 600, outputTokens: 100 };
	const scope = { limits: { ...LIMITS, tokens: 800 } };
	const early = await run(chainOf(["a", "b"]), { a: hangsAfter(given) }, { run: { scope } });
	assert.deepEqual(outcomes(early.report), ["a failed", "b skipped"]);
	const corrected = await run(chainOf(["a", "b"]), { a: says("x", given, usage) }, { run: { scope } });
	const actual = [outcomes(corrected.report), corrected.runner.seen.length];
	assert.deepEqual(actual, [["a failed", "b skipped"], 1]);
	const spent: number[] = [];
	const counting = { limits: LIMITS, onSpent: (tokens: number) => void spent.push(tokens) };
	await run(chainOf(["a"]), { a: says("x", given, given, usage) }, { run: { scope: counting } });
	assert.deepEqual(spent, [900, -200]);
});

test("a run that took as long as it may begins nothing more", async () => {
	const scope = { limits: { ...LIMITS, time: 60_000 } };
	const { report } = await run(chainOf(["a", "b"]), { a: hangs }, { run: { scope } });
	assert.deepEqual(outcomes(report), ["a failed", "b skipped"]);
	assert.match(report.results[1]?.output ?? "", /reached its time limit of 60 s/);
});

test("a step gets no tool and no agent that its chain, its file and its step do not all allow", async () => {
	const agents = new Map([
		["a", agentNamed("a", { tools: ["view", "grep", "bash"], handoffs: [{ agent: "b" }, { agent: "z" }] })],
		["b", agentNamed("b", { tools: ["*"] })],
	]);
	const scope = { limits: LIMITS, tools: ["view", "grep", "edit"], agents: ["a", "b"] };
	const chain = chainOf([[{ id: "a", agent: "a", tools: ["grep", "edit", "bash"] }], "b"]);
	const { runner } = await run(chain, {}, { run: { agents, scope } });
	assertMapped(runner.seen, ({ scope: { tools, agents: may } }) => [tools, may], [
		[["grep"], ["b"]],
		[
			["view", "grep", "edit"],
			["a", "b"],
		],
	]);
});

test("what a step spends below it counts in all that stands above", async () => {
	const spent: number[] = [];
	const act: Act = async function* ({ scope: { onSpent } }) {
		onSpent?.(40);
		yield { kind: "usage", inputTokens: 1, outputTokens: 1 };
	};
	const scope = { limits: LIMITS, onSpent: (tokens: number) => void spent.push(tokens) };
	const { runner } = await run(chainOf(["a", ["b", "c"]]), { a: act }, { run: { scope } });
	assert.deepEqual(spent.slice(0, 2), [40, 2]);
	assert.ok((runner.seen[1]?.scope.limits.tokens ?? 0) <= (LIMITS.tokens - 42) / 2);
});

const chain = chainOf(["reader", ["writer", "helper"], "closer"]);
const readers = ["reader", "helper", "closer"].map((name) => agentNamed(name, { tools: ["view"] }));
const agents = new Map([agentNamed("writer"), ...readers].map((agent) => [agent.name, agent]));
const touches: AgentEvent = { kind: "toolStarted", call: { id: "1", name: "bash", input: {} } };

async function play(acts: Readonly<Record<string, Act>>, more: Partial<Parameters<typeof runOf>[1]> = {}) {
	const runner = scriptedRunner(acts);
	const events: AgentEvent[] = [];
	const show = (event: AgentEvent) => events.push(storedEvent.parse(JSON.parse(JSON.stringify(event))));
	const ports = { runner, clock: systemClock, show };
	const report = await runChain({ ...runOf(chain), agents, ...more }, ports, never);
	return { report, events, ran: runner.seen.map(({ id }) => id) };
}

const read = (events: readonly AgentEvent[]) => earlierRun([{ at: 1, events }]) as EarlierRun;
const writes = (step: string) => step === "writer";

test("what succeeded is kept with its citations, and only the rest runs again", async () => {
	const cited: AgentEvent = { kind: "citation", citation: { path: "a.md", lines: { start: 1, end: 2 } } };
	const first = await play({ reader: says("Leaks ", cited), closer: throws(new Error("Gone")) });
	const { kept, repeated } = resumption(read(first.events), writes);
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader", "writer", "helper"], []]);
	const again = await play({}, { kept });
	assert.deepEqual(again.ran, ["closer"]);
	assert.match(again.report.context.finalOutput, /\[a\.md:1-2\]Leaks/);
	assert.equal(read(again.events).results.length, 4, "a run that went on can go on, too");
});

test("from a step on, what stands after it runs again, and what is beside it does not", async () => {
	const { events } = await play({});
	const { kept, repeated } = resumption(read(events), writes, "helper");
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader", "writer"], []]);
});

test("a step that may have changed something is repeated only where a person says so", async () => {
	const failed = await play({ writer: says("x", touches), closer: throws(new Error("Gone")) });
	assert.deepEqual(resumption(read(failed.events), writes).repeated, []);
	assert.deepEqual(resumption(read(failed.events), writes, "reader").repeated, ["writer"]);
});

test("of a window that was closed, a writer at work counts as one that changed something", async () => {
	const { events } = await play({});
	const cut = events.slice(
		0,
		events.findLastIndex((event) => event.kind === "stepFinished" && event.step === "writer"),
	);
	const only = cut.filter((event) => event.step !== "helper");
	const earlier = read(only);
	assert.deepEqual(earlier.cutShort, ["writer"]);
	const { kept, repeated } = resumption(earlier, writes);
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader"], ["writer"]]);
});

test("a session without a chain, and a chain that says not what it was asked, give nothing", () => {
	assert.equal(earlierRun([{ at: 1, events: [] }]), undefined);
	assert.equal(earlierRun([{ at: 1, events: [{ kind: "chain", chain }] }]), undefined);
});
