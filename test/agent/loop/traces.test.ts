import assert from "node:assert/strict";
import { test } from "node:test";
import { withSteps } from "../../../src/agent/call/toolCall.ts";
import { measuredCalls, runTurn, traced } from "../../../src/agent/loop/runTurn.ts";
import { agentEngine, graphEngine } from "../../../src/agent/loop/tracedAgent.ts";
import { createTurnTracer } from "../../../src/agent/loop/turnTracer.ts";
import type { AgentPorts } from "../../../src/agent/ports.ts";
import { currentTrace, inTrace, newTraceContext } from "../../../src/base/traces/traceContext.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";
import { answering } from "../../mcp/scriptedTool.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { fakeModel, type Reply } from "../../support/fakeModel.ts";

const { signal } = new AbortController();
const request = { question: "What burns?", history: [], attachments: [] };

interface Scene {
	readonly replies: readonly Reply[];
	readonly ports?: Partial<AgentPorts>;
	readonly controller?: AbortController;
}

/** Runs a turn to any end. */
async function trace({ replies, ports = {}, controller = new AbortController() }: Scene): Promise<TurnTrace> {
	const { traces, tracer } = open();
	const engine = agentEngine({
		model: fakeModel(replies),
		tools: [{ name: "search", description: "", inputSchema: {} }],
		runTool: async () => "found",
		search: async () => ({ hits: [], total: 7, truncated: true, notices: [] }),
		...{ folderNames: ["kb"], maxRounds: 3 },
		...ports,
	});
	const agent = runTurn(engine, [traced("chat", tracer)]);
	try {
		for await (const _ of agent(request, controller.signal));
	} catch {
		// The trace has the outcome.
	}
	const [only, ...others] = traces;
	assert.ok(only && others.length === 0);
	return only;
}

const call = { id: "x", name: "search", input: {} };
const kindsOf = ({ spans }: TurnTrace) => spans.map(({ kind, outcome }) => `${kind} ${outcome}`);

test("a turn has spans for retrieval, memory, the model and tools, with measurements", async (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
	const recall = async () => [{ kind: "fact" as const, text: "A fact.", at: 0, score: 1 }];
	const traced = await trace({ replies: [[call], ["Oil."]], ports: { recall } });
	const kinds = ["retrieval", "memory", "model", "tool", "model"].map((kind) => `${kind} done`);
	assert.deepEqual(kindsOf(traced), kinds);
	const { spans, outcome, question, startedAt } = traced;
	assert.deepEqual([outcome, question, startedAt], ["done", "What burns?", 1_000_000]);
	assert.ok(spans.every(({ startMs, durationMs }) => startMs > 0 && durationMs > 0));
	assert.ok(spans.every(({ startMs, durationMs }) => startMs + durationMs <= traced.durationMs));
	const factsOf = (kind: string) => spans.filter((span) => span.kind === kind).map(({ facts }) => facts);
	const facts = [{ hits: 0, matches: 7 }, { records: 1 }, { callId: "x", characters: 5 }];
	assert.deepEqual(["retrieval", "memory", "tool"].flatMap(factsOf), facts);
	const [first, second] = factsOf("model");
	assert.ok(Number(first?.["inputTokens"]) > 100 && Number(first?.["outputTokens"]) > 0);
	assert.ok(Number(second?.["inputTokens"]) > Number(first?.["inputTokens"]));
	assert.equal(second?.["outputTokens"], 1);
});

test("the model span of a graph query has token counts from the server or an estimate", async () => {
	const { traces, tracer } = open();
	const rows = { kind: "rows", variables: [], rows: [], truncated: false } as const;
	const query = async () => ({ answer: rows, sources: [], notices: [] });
	const graph = { query, check: async () => [], ontology: async () => "Lamp" };
	const usage = { kind: "usage", inputTokens: 70, outputTokens: 3 } as const;
	for (const reply of [["SELECT * {}", usage], ["SELECT * {}"]]) {
		const run = runTurn(graphEngine({ graph, model: fakeModel([reply]) }), [traced("graph", tracer)]);
		await Array.fromAsync(run(request, signal));
	}
	const [exact, estimated] = traces.map(({ spans }) => spans.find(({ kind }) => kind === "model")?.facts);
	assert.partialDeepStrictEqual(exact, { inputTokens: 70, outputTokens: 3 });
	assert.equal(exact?.["isEstimate"], undefined);
	assert.ok(Number(estimated?.["inputTokens"]) > 20 && estimated?.["isEstimate"] === 1);
});

test("traces distinguish failed, cancelled and successful spans", async () => {
	const limited = Object.assign(new Error("quota"), { kind: "rateLimited" });
	const failed = await trace({ replies: [limited] });
	assert.equal(failed.spans.find(({ kind }) => kind === "model")?.facts["error"], "rateLimited");
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
	const { traces, tracer } = open();
	const play = async function* () {
		yield* events;
		if (failure) throw failure;
	};
	const engine = runTurn(() => play, [traced("cli", tracer), measuredCalls]);
	const told = Array.fromAsync(engine(request, signal));
	await (failure ? assert.rejects(told, failure) : told);
	return traces[0];
}

test("calls of an engine in another process are measured by the engine's events", async () => {
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

const NAME = "copilot-ld_search_knowledge";

function open(keepsTexts = false) {
	const traces: TurnTrace[] = [];
	const tracer = createTurnTracer({ keepsTexts: () => keepsTexts, onEnd: (one) => traces.push(one) });
	return { tracer, traces };
}

const turn = (session: string) => ({ kind: "agent", title: "search", question: "Who?", session }) as const;

test("spans of the background process belong only to the asking turn", async (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: 0 });
	const { tracer, traces } = open();
	await tracer.run(turn("a"), signal, async ({ context, measure }) => {
		await measure({ kind: "retrieval", title: "Who?" }, signal, async (span) => {
			const asked = { ...newTraceContext(span.context), parentId: span.context.spanId };
			const told = { title: "search by words", startedAt: 20, durationMs: 5, isDone: true };
			tracer.inner([
				{ ...asked, ...told },
				{ ...newTraceContext(), parentId: context.spanId, ...told },
			]);
		});
	});
	const [trace] = traces;
	const inner = trace?.spans.filter(({ kind }) => kind === "worker");
	assert.equal(inner?.length, 1);
	const told = { title: "search by words", startMs: 20, durationMs: 5, outcome: "done" };
	assert.partialDeepStrictEqual(inner[0], told);
	assert.equal(inner[0]?.parentId, trace?.spans.find(({ kind }) => kind === "retrieval")?.spanId);
});

test("a call belongs to the span of the calling turn, not to another chat's", async () => {
	const { tracer, traces } = open();
	const seen: unknown[] = [];
	const call = (session: string) =>
		// VS Code passes the call on without its trace.
		inTrace(undefined, () =>
			tracer.call({ title: NAME, session, input: {} }, signal, async () => {
				seen.push(currentTrace());
				return { text: "" };
			}),
		);
	await tracer.run(turn("a"), signal, (a) =>
		tracer.run(turn("b"), signal, (b) =>
			a.measure({ kind: "tool", title: NAME }, signal, (spanOfA) =>
				b.measure({ kind: "tool", title: NAME }, signal, async (spanOfB) => {
					await call("b");
					await call("a");
					assert.deepEqual(seen, [spanOfB.context, spanOfA.context]);
				}),
			),
		),
	);
	assert.equal(traces.length, 2);
});

test("a call by the CLI belongs to the session's running turn, under the span that the CLI names", async () => {
	const { tracer, traces } = open(true);
	const tool = answering("search_knowledge", "Ida Fenwick");
	const [traced] = withSteps([tool], {
		record: ({ input }, run) => tracer.call({ title: tool.name, session: "chat", input }, signal, run),
	});
	await tracer.run(turn("chat"), signal, async ({ context }) => {
		const named = newTraceContext(context);
		await inTrace(named, async () => traced?.run({ query: "keeper" }, { signal }));
		await inTrace(newTraceContext(), async () => traced?.run({}, { signal }));
		await inTrace(undefined, async () => traced?.run({}, { signal }));
	});
	const [{ spanId, spans } = { spans: [] }] = traces;
	assert.deepEqual(spans[0]?.texts, { input: '{"query":"keeper"}', output: "Ida Fenwick" });
	assert.notEqual(spans[0]?.parentId, spanId);
	assertMapped(spans.slice(1), ({ parentId }) => parentId, [spanId, spanId]);
});

test("texts are recorded only if enabled, and cut between words", async () => {
	const call = { title: NAME, input: {} };
	const long = `${"word ".repeat(3199)}secret-that-is-cut`;
	const outputOf = async (keepsTexts: boolean) => {
		const { tracer, traces } = open(keepsTexts);
		await tracer.call(call, signal, async () => ({ text: long }));
		return traces[0]?.texts?.output;
	};
	assert.equal(await outputOf(false), undefined);
	assert.match((await outputOf(true)) ?? "", /^word (?!.*secret)/);
});
