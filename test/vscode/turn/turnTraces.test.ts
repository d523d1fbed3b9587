import assert from "node:assert/strict";
import { test } from "node:test";
import { traceLines } from "../../../src/vscode/turn/turnTraces.ts";

test("a trace in the log tells times and tokens, and no words of the question", () => {
	const found = { spanId: "a", kind: "retrieval", title: "x", outcome: "done", facts: { hits: 8 } } as const;
	const searched = { spanId: "b", kind: "tool", title: "search", outcome: "failed", facts: {} } as const;
	const lines = traceLines({
		...{ traceId: "t", spanId: "s", kind: "agent", title: "chat" },
		...{ startedAt: 0, durationMs: 1234.5, outcome: "done", question: "secret" },
		spans: [
			{ ...found, startMs: 1.2, durationMs: 30 },
			{ ...searched, startMs: 40, durationMs: 5 },
		],
	});
	const tool = "  +40 ms tool search: failed, 5 ms";
	assert.deepEqual(lines, ["turn: done, 1235 ms", "  +1 ms retrieval: done, 30 ms, hits 8", tool]);
});
