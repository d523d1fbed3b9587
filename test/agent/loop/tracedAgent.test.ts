import assert from "node:assert/strict";
import { test } from "node:test";
import { measuredCalls, runTurn, traced } from "../../../src/agent/loop/runTurn.ts";
import { agentEngine, graphEngine } from "../../../src/agent/loop/tracedAgent.ts";
import { createTurnRecorder, type TurnStart } from "../../../src/agent/loop/turnRecorder.ts";
import type { AgentPorts } from "../../../src/agent/ports.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";
import { fakeModel, type Reply } from "../../support/fakeModel.ts";

interface Scene {
	readonly replies: readonly Reply[];
	readonly ports?: Partial<AgentPorts>;
	readonly controller?: AbortController;
}

function observe(clock: Parameters<typeof createTurnRecorder>[1]) {
	const traces: TurnTrace[] = [];
	const observer = {
		begin: (start: TurnStart) => createTurnRecorder(start, clock),
		ended: (_: unknown, ended: TurnTrace) => void traces.push(ended),
	};
	return { traces, observer };
}

/** Plays a turn to its end, whatever that is, on a clock that goes on by 10 ms whenever it is looked at. */
async function trace({ replies, ports = {}, controller = new AbortController() }: Scene): Promise<TurnTrace> {
	let elapsed = 0;
	const clock = {
		elapsed: () => {
			elapsed += 10;
			return elapsed;
		},
		now: () => 1_000_000,
	};
	const { traces, observer } = observe(clock);
	const engine = agentEngine({
		model: fakeModel(replies),
		tools: [{ name: "search", description: "", inputSchema: {} }],
		runTool: async () => "found",
		search: async () => ({ hits: [], total: 7, truncated: true, notices: [] }),
		...{ folderNames: ["kb"], maxRounds: 3 },
		...ports,
	});
	const agent = runTurn(engine, [traced("chat", observer)]);
	const request = { question: "What burns?", history: [], attachments: [] };
	try {
		for await (const _ of agent(request, controller.signal));
	} catch {
		// How it ended stands in the trace.
	}
	const [only, ...others] = traces;
	assert.ok(only && others.length === 0);
	return only;
}

const call = { id: "x", name: "search", input: {} };
const kindsOf = ({ spans }: TurnTrace) => spans.map(({ kind, outcome }) => `${kind} ${outcome}`);

test("a turn leaves a span for the retrieval, for each request to the model, and for each tool", async () => {
	const traced = await trace({ replies: [[call], ["Oil."]] });
	assert.deepEqual(kindsOf(traced), ["retrieval done", "model done", "tool done", "model done"]);
	assert.deepEqual([traced.outcome, traced.question, traced.startedAt], ["done", "What burns?", 1_000_000]);
	assert.ok(traced.spans.every(({ startMs, durationMs }) => startMs > 0 && durationMs > 0));
	assert.ok(traced.spans.every(({ startMs, durationMs }) => startMs + durationMs <= traced.durationMs));
});

test("spans tell what was measured besides: hits, records, tokens, the length of results", async () => {
	const recall = async () => [{ kind: "fact" as const, text: "A fact.", at: 0, score: 1 }];
	const { spans } = await trace({ replies: [[call], ["Oil."]], ports: { recall } });
	const factsOf = (kind: string) => spans.filter((span) => span.kind === kind).map(({ facts }) => facts);
	assert.deepEqual(["retrieval", "memory", "tool"].flatMap(factsOf), [
		{ hits: 0, matches: 7 },
		{ records: 1 },
		{ callId: "x", characters: 5 },
	]);
	const [first, second] = factsOf("model");
	assert.ok(Number(first?.["inputTokens"]) > 100 && Number(first?.["outputTokens"]) > 0);
	assert.ok(Number(second?.["inputTokens"]) > Number(first?.["inputTokens"]));
	assert.equal(second?.["outputTokens"], 1);
});

test("a query that the model writes has tokens, which its server counted or we estimate", async () => {
	const { traces, observer } = observe({ elapsed: () => 0, now: () => 0 });
	const rows = { kind: "rows", variables: [], rows: [], truncated: false } as const;
	const query = async () => ({ answer: rows, sources: [], notices: [] });
	const graph = { query, check: async () => [], ontology: async () => "Lamp" };
	const usage = { kind: "usage", inputTokens: 70, outputTokens: 3 } as const;
	for (const reply of [["SELECT * {}", usage], ["SELECT * {}"]]) {
		const run = runTurn(graphEngine({ graph, model: fakeModel([reply]) }), [traced("graph", observer)]);
		const request = { question: "Which lamps are there?", history: [], attachments: [] };
		await Array.fromAsync(run(request, new AbortController().signal));
	}
	const [counted, estimated] = traces.map(
		({ spans }) => spans.find(({ kind }) => kind === "model")?.facts ?? {},
	);
	const actual = [counted?.["inputTokens"], counted?.["outputTokens"], counted?.["isEstimate"]];
	assert.deepEqual(actual, [70, 3, undefined]);
	assert.ok(Number(estimated?.["inputTokens"]) > 20 && estimated?.["isEstimate"] === 1);
});

test("what failed and what was cancelled is told as it was", async () => {
	const failed = await trace({ replies: [new Error("quota")] });
	assert.deepEqual([failed.outcome, kindsOf(failed)], ["failed", ["retrieval done", "model failed"]]);
	const runTool = () => Promise.reject(new Error("no such file"));
	const mended = await trace({ replies: [[call], ["Sorry."]], ports: { runTool } });
	assert.deepEqual(mended.outcome, "done");
	assert.ok(kindsOf(mended).includes("tool failed"));
	const controller = new AbortController();
	const cancelling = async () => {
		controller.abort(new Error("by the person"));
		throw new Error("stopped");
	};
	const cancelled = await trace({ replies: [[call]], ports: { runTool: cancelling }, controller });
	assert.deepEqual([cancelled.outcome, kindsOf(cancelled).at(-1)], ["cancelled", "tool cancelled"]);
});

async function traceOf(events: readonly AgentEvent[], failure?: Error): Promise<TurnTrace | undefined> {
	const { traces, observer } = observe({ elapsed: () => 0, now: () => 0 });
	const engine = runTurn(() => () => play(events, failure), [traced("cli", observer), measuredCalls]);
	const request = { question: "Why?", history: [], attachments: [] };
	const told = Array.fromAsync(engine(request, new AbortController().signal));
	await (failure ? assert.rejects(told, failure) : told);
	return traces[0];
}

async function* play(events: readonly AgentEvent[], failure?: Error): AsyncGenerator<AgentEvent> {
	yield* events;
	if (failure) throw failure;
}

test("the calls of an engine that runs elsewhere are measured by what it tells of them", async () => {
	const trace = await traceOf([
		{ kind: "toolStarted", call },
		{ kind: "toolStarted", call: { ...call, id: "2", name: "read" } },
		{ kind: "toolFinished", call: { ...call, id: "2", name: "read" }, ok: false, text: "" },
		{ kind: "toolFinished", call, ok: true, text: "" },
		{ kind: "ended", reason: "done" },
	]);
	const told = trace?.spans.map(({ kind, title, outcome }) => `${kind} ${title} ${outcome}`);
	assert.deepEqual([trace?.outcome, told], ["done", ["tool read failed", "tool search done"]]);
	const failed = await traceOf([{ kind: "toolStarted", call }], new Error("It died."));
	assert.deepEqual([failed?.outcome, failed?.spans[0]?.outcome], ["failed", "failed"]);
});
