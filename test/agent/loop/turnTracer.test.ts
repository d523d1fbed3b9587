import assert from "node:assert/strict";
import { test } from "node:test";
import { withSteps } from "../../../src/agent/call/toolCall.ts";
import { createTurnTracer } from "../../../src/agent/loop/turnTracer.ts";
import { currentTrace, inTrace, newTraceContext } from "../../../src/base/traces/traceContext.ts";
import type { Tool } from "../../../src/core/agent/tool.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";

const signal = new AbortController().signal;
const NAME = "copilot-ld_search_knowledge";

function open(keepsTexts = false) {
	const traces: TurnTrace[] = [];
	const tracer = createTurnTracer({
		clock: { elapsed: () => performance.now(), now: () => 0 },
		keepsTexts: () => keepsTexts,
		onEnd: (trace) => traces.push(trace),
	});
	return { tracer, traces };
}

const turn = (session: string) => ({ kind: "agent", title: "search", question: "Who?", session }) as const;

test("what the background process did is part of the turn that asked, and of no other", async () => {
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
	assert.deepEqual(
		inner?.map(({ title, startMs, durationMs, outcome }) => [title, startMs, durationMs, outcome]),
		[["search by words", 20, 5, "done"]],
	);
	assert.equal(inner?.[0]?.parentId, trace?.spans.find(({ kind }) => kind === "retrieval")?.spanId);
});

test("a call that a turn makes belongs to the span in which the turn makes it, and not to another chat's", async () => {
	const { tracer, traces } = open();
	const seen: unknown[] = [];
	const call = (session: string) =>
		// VS Code hands the call over without where it comes from.
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

test("a call of the CLI is a span of the turn at work in its session, under the span that the CLI names", async () => {
	const { tracer, traces } = open(true);
	const tool: Tool = {
		...{ name: "search_knowledge", title: "", summary: "", description: "", inputSchema: {} },
		announce: () => "",
		run: async () => ({ text: "Ida Fenwick" }),
	};
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
	const actual = spans.slice(1).map(({ parentId }) => parentId);
	assert.deepEqual(actual, [spanId, spanId]);
});

test("texts are kept only where they are wanted, and cut between words", async () => {
	const call = { title: NAME, input: {} };
	const long = `${"word ".repeat(3199)}secret-that-is-cut`;
	for (const keepsTexts of [false, true]) {
		const { tracer, traces } = open(keepsTexts);
		await tracer.call(call, signal, async () => ({ text: long }));
		const output = traces[0]?.texts?.output;
		assert.equal(output !== undefined, keepsTexts);
		assert.ok(!output?.includes("secret"));
	}
});
