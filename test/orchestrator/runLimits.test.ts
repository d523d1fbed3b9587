import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { storedEvent } from "../../src/core/session/journalEntry.ts";
import { type EarlierRun, earlierRun, resumption } from "../../src/orchestrator/run/earlierRun.ts";
import { createResultCache } from "../../src/orchestrator/run/runStep.ts";
import type { StepResult } from "../../src/orchestrator/run/stepResult.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { type Act, agentNamed, chainOf, hangs, inTurn, LIMITS, run, says, throws } from "./scripted.ts";

const hangsAfter = (event: AgentEvent): Act =>
	async function* (...given) {
		yield event;
		yield* hangs(...given);
	};

const ignoresStop: Act = async function* () {
	yield { kind: "text", text: "so far" };
	await new Promise<void>(() => undefined);
};

const [A, AB] = [chainOf(["a"]), chainOf(["a", "b"])];
const call: AgentEvent = { kind: "toolStarted", call: { id: "1", name: "view", input: {} } };
const write: AgentEvent = { kind: "diff", callId: "1", path: "/w/a.ts", oldText: "", newText: "x" };
const gone = new Error("failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });

test("a step that times out is repeated once, and keeps its partial answer", async () => {
	const second = await run(A, { a: inTurn(hangs, says("in time")) });
	assert.equal(second.report.results[0]?.output, "in time");
	const { report, clock, outcomes, seen } = await run(AB, { a: hangs });
	assert.equal(outcomes, "a timedOut, b succeeded");
	assert.equal(report.results[0]?.output, "so far\n\nIt took longer than 300 s.");
	assert.equal(clock.waits.filter((wait) => wait === 300_000).length, 3);
	assertMapped(seen, ({ id, attempt }) => `${id} ${attempt}`, ["a 1", "a 2", "b 1"]);
});

for (const [what, act, writers, tries] of [
	["that changed something without permission", hangsAfter(write), [], 1],
	["that changed something", hangsAfter(write), ["a"], 1],
	["with changing tools that made any call", hangsAfter(call), ["a"], 1],
	["with reading tools that made a call", hangsAfter(call), [], 2],
] as const)
	test(`after a timeout, a step ${what} is ${tries === 1 ? "not repeated" : "repeated"}`, async () => {
		const { outcomes, seen } = await run(A, { a: act }, { writers });
		assert.deepEqual([outcomes, seen.length], ["a timedOut", tries]);
	});

test("a chain ends if a step that does not stop may change something", async () => {
	for (const [writers, expected] of [
		["a", "a timedOut, b skipped"],
		["", "a timedOut, b succeeded"],
	] as const)
		assert.equal((await run(AB, { a: ignoresStop }, { writers: [writers] })).outcomes, expected);
});

test("an unreachable engine is tried again after increasing delays", async () => {
	const { outcomes, clock } = await run(A, { a: throws(gone) });
	const waits = clock.waits.filter((wait) => wait < 10_000);
	assert.deepEqual([outcomes, waits], ["a failed", [1_000, 2_000, 4_000]]);
	assert.equal((await run(A, { a: inTurn(throws(gone), says("back")) })).outcomes, "a succeeded");
});

test("later steps get a failed step's answer and reason, unless `onFailure` stops the chain", async () => {
	const acts = { a: throws(new Error("boom")) };
	const { outcomes, seen } = await run(AB, acts);
	assert.equal(outcomes, "a failed, b succeeded");
	assert.match(seen[1]?.prompt ?? "", /- Agent 1 \(a\):\n```\nboom\n```/);
	const stop = await run(chainOf(["a", "b"], { onFailure: "stop" }), acts);
	assert.deepEqual([stop.outcomes, stop.report.outcome], ["a failed, b skipped", "stopped"]);
});

test("a cancelled chain keeps the results of finished steps and starts no further step", async () => {
	const user = new AbortController();
	const act: Act = async function* (...given) {
		user.abort();
		yield* hangs(...given);
	};
	const { report, outcomes, ran } = await run(chainOf(["a", "b", "c"]), { b: act }, { signal: user.signal });
	assert.deepEqual([outcomes, ran], ["a succeeded, b cancelled, c skipped", "a b"]);
	assert.deepEqual([report.outcome, report.context.agentResults[0]?.output], ["cancelled", "a answers"]);
});

test("a read-only step is answered from the cache until its file, prompt, tools or any file changes", async () => {
	const cache = createResultCache();
	const played = async (more: Parameters<typeof agentNamed>[1] = {}, prompt = "one") => {
		const agents = new Map(["a", "w"].map((name) => [name, agentNamed(name, name === "a" ? more : {})]));
		const chain = chainOf([[{ id: "a", agent: "a", prompt }], "w"]);
		return (await run(chain, {}, { writers: ["w"], ports: { cache }, run: { agents } })).ran;
	};
	const source = { uri: "file:///a.md", level: "workspace", hash: "2" } as const;
	const ran = [await played(), await played(), await played({ source }), await played({ tools: ["grep"] })];
	assert.deepEqual([...ran, await played({}, "two")], ["a w", "w", "a w", "a w", "a w"]);
	cache.clear();
	assert.equal(await played(), "a w");
});

test("a result that failed, changed something or precedes a change is not cached", async () => {
	const cache = createResultCache();
	const act: Act = async function* () {
		cache.clear();
		yield { kind: "text", text: "old" };
	};
	for (const a of [act, throws(new Error("no")), says("x", write)])
		for (const _ of ["first", "again"]) assert.equal((await run(A, { a }, { ports: { cache } })).ran, "a");
});

const GIVEN: AgentEvent = { kind: "window", usedTokens: 900, maxTokens: 8_000 };
const USED: AgentEvent = { kind: "usage", inputTokens: 600, outputTokens: 100 };

for (const [what, limits, act, words] of [
	["has spent its tokens", { tokens: 700 }, hangsAfter(USED), /The 700 tokens of the run are spent\./],
	["exceeds its tokens with a single request", { tokens: 800 }, hangsAfter(GIVEN), /The 800 tokens/],
	["reaches its time limit", { time: 60_000 }, hangs, /reached its time limit of 60 s/],
] as const)
	test(`a run that ${what} stops its current step and starts no further step`, async () => {
		const scope = { limits: { ...LIMITS, ...limits } };
		const { report, outcomes, ran } = await run(AB, { a: act }, { run: { scope } });
		assert.deepEqual([outcomes, ran], ["a failed, b skipped", "a"]);
		assert.match(report.results.map(({ output }) => output).join("\n"), words);
	});

test("a step's tokens count in all outer scopes; reported usage replaces the count from the context window", async () => {
	const spent: number[] = [];
	const act: Act = async function* ({ scope: { onSpent } }) {
		onSpent?.(40);
		yield* [GIVEN, GIVEN, USED];
	};
	const scope = { limits: LIMITS, onSpent: (tokens: number) => void spent.push(tokens) };
	const { seen } = await run(chainOf(["a", ["b", "c"]]), { a: act }, { run: { scope } });
	assert.deepEqual(spent.slice(0, 3), [40, 900, -200]);
	assert.ok((seen[1]?.scope.limits.tokens ?? 0) <= (LIMITS.tokens - 740) / 2);
});

test("a step gets only tools and agents that its chain, its agent's file and the step's own entry allow", async () => {
	const a = agentNamed("a", { tools: ["view", "grep", "bash"], handoffs: ["b", "z"] });
	const agents = new Map([a, agentNamed("b", { tools: ["*"] })].map((agent) => [agent.name, agent]));
	const scope = { limits: LIMITS, tools: ["view", "grep", "edit"], agents: ["a", "b"] };
	const chain = chainOf([[{ id: "a", agent: "a", tools: ["grep", "edit", "bash"] }], "b"]);
	const { seen } = await run(chain, {}, { run: { agents, scope } });
	assertMapped(seen, ({ scope: { tools, agents: may } }) => `${tools} starts ${may}`, [
		"grep starts b",
		"view,grep,edit starts a,b",
	]);
});

const FOUR = chainOf(["reader", ["writer", "helper"], "closer"]);

/** Runs a chain with a step that may change something; also returns its events as the journal stores them. */
async function play(acts: Readonly<Record<string, Act>>, kept: readonly StepResult[] = []) {
	const { report, events, ran } = await run(FOUR, acts, { writers: ["writer"], run: { kept } });
	const stored = events.map((event) => storedEvent.parse(JSON.parse(JSON.stringify(event))));
	return { report, stored, ran };
}

const read = (events: readonly AgentEvent[]) => earlierRun([{ at: 1, events }]) as EarlierRun;

function resumed(earlier: EarlierRun, from?: string) {
	const { kept, repeated } = resumption(earlier, (step) => step === "writer", from);
	return { kept, plan: [kept.map(({ step }) => step).join(), repeated.join()] };
}

test("a resumed chain keeps successful steps with their citations and runs the other steps again", async () => {
	const cited: AgentEvent = { kind: "citation", citation: { path: "a.md", lines: { start: 1, end: 2 } } };
	const first = await play({ reader: says("Leaks ", cited), closer: throws(new Error("Gone")) });
	const { kept, plan } = resumed(read(first.stored));
	assert.deepEqual(plan, ["reader,writer,helper", ""]);
	const again = await play({}, kept);
	assert.equal(again.ran, "closer");
	assert.match(again.report.context.finalOutput, /\[a\.md:1-2\]Leaks/);
	assert.equal(read(again.stored).results.length, 4, "a resumed run can be resumed again");
});

test("resuming from a step repeats its stage and later stages, and lists steps that may have changed something", async () => {
	const { stored } = await play({ writer: says("x", call), closer: throws(new Error("Gone")) });
	assert.deepEqual(resumed(read(stored)).plan, ["reader,writer,helper", ""]);
	assert.deepEqual(resumed(read(stored), "helper").plan, ["reader,writer", ""]);
	assert.deepEqual(resumed(read(stored), "reader").plan, ["", "writer"]);
});

test("a writer that was running when the window closed counts as having changed something", async () => {
	const { stored } = await play({});
	const end = stored.findLastIndex((event) => event.kind === "stepFinished" && event.step === "writer");
	const earlier = read(stored.slice(0, end).filter((event) => event.step !== "helper"));
	assert.deepEqual(earlier.cutShort, ["writer"]);
	assert.deepEqual(resumed(earlier).plan, ["reader", "writer"]);
});

test("a session without a chain, or with a chain without a task, has nothing to resume", () => {
	for (const events of [[], [{ kind: "chain", chain: FOUR } as const]])
		assert.equal(earlierRun([{ at: 1, events }]), undefined);
});
