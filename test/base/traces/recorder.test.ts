import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import { createRecorder, NAMESPACES, timed } from "../../../src/base/traces/recorder.ts";
import {
	currentTrace,
	inTrace,
	newTraceContext,
	outgoingTrace,
	readTraceparent,
	streamInTrace,
} from "../../../src/base/traces/traceContext.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { createRandom } from "../../support/random.ts";

const BOUNDS = { entries: 20, characters: 500, text: 100 };

const LOG = { namespace: "host", level: "info", event: "log" } as const;

test("the recorder keeps the newest entry of each namespace within its limits", () => {
	const random = createRandom(5);
	const recorder = createRecorder(Date.now, BOUNDS);
	for (let run = 0; run < 500; run++) {
		const namespace = random.pick(NAMESPACES);
		const text = random.below(2) === 0 ? "word ".repeat(random.below(60)) : `${run}`;
		recorder.note({ ...LOG, namespace, text, facts: { run } });
		const own = recorder.entries().filter((entry) => entry.namespace === namespace);
		assert.equal(own.at(-1)?.facts?.["run"], run);
		assert.ok(own.length <= BOUNDS.entries);
		const size = own.reduce((sum, entry) => sum + (entry.text?.length ?? 0) + entry.event.length, 0);
		assert.ok(size <= BOUNDS.characters);
		assert.equal(recorder.entries().length + recorder.dropped(), run + 1);
	}
});

test("a shortened text ends with a whole word, and a busy namespace does not displace entries of others", () => {
	const recorder = createRecorder(Date.now, BOUNDS);
	recorder.note({ ...LOG, text: `${"a ".repeat(45)}ghp_0123456789abcdef` });
	recorder.note({ ...LOG, text: "x".repeat(101) });
	for (let run = 0; run < 1000; run++) recorder.note({ ...LOG, namespace: "cli", facts: { run } });
	const kept = recorder.entries().filter(({ namespace }) => namespace === "host");
	assertMapped(kept, ({ text }) => text, [`${"a ".repeat(45)}…`, "…"]);
});

test("a timed step records its outcome, but not the text of its error", async () => {
	const own = createRecorder();
	const about = { namespace: "worker", event: "search" } as const;
	const ends = [new Failure("NO_INDEX", "secret"), Object.assign(new Error("s"), { code: "s" }), "secret"];
	assert.equal(await timed(own, about, async () => 3), 3);
	for (const thrown of ends) await assert.rejects(timed(own, about, () => Promise.reject(thrown)));
	assertMapped(own.entries(), ({ facts }) => facts?.["outcome"], ["done", "NO_INDEX", "failed", "failed"]);
});

test("an action runs in the span that is given, or in no span", async () => {
	const context = newTraceContext();
	const seen = await inTrace(context, async () => {
		await Promise.resolve();
		return [currentTrace(), inTrace(undefined, currentTrace), outgoingTrace()];
	});
	const traceparent = `00-${context.traceId}-${context.spanId}-01`;
	assert.deepEqual(seen, [context, undefined, { traceparent }]);
	assert.deepEqual(readTraceparent(traceparent), context);
	assert.deepEqual([currentTrace(), outgoingTrace()], [undefined, {}]);
});

test("a stream runs in its span, but the reader of the stream does not", async () => {
	const context = newTraceContext();
	const seen: unknown[] = [];
	async function* stream() {
		try {
			yield seen.push(currentTrace());
		} finally {
			seen.push(currentTrace());
		}
	}
	for await (const _ of streamInTrace(context, stream)) {
		seen.push(currentTrace());
		break;
	}
	assert.deepEqual(seen, [context, undefined, context]);
});

test("a traceparent header is accepted only in standard form", () => {
	const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
	const read = { traceId: trace, spanId: span };
	assert.deepEqual(readTraceparent(`00-${trace}-${span}-00`), read);
	// A later version may have more fields.
	assert.deepEqual(readTraceparent(`01-${trace}-${span}-01-more`), read);
	const wrong = [
		...[undefined, 7, "", `00-${trace}-${span}`, `ff-${trace}-${span}-01`, `00-${trace}-${span}-01-more`],
		...[`00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${"0".repeat(16)}-01`],
		...[`00-${trace.toUpperCase()}-${span}-01`, `00-${trace}-${span}-01\r\nx: y`],
		`01-${trace}-${span}-01-${"x".repeat(1000)}`,
	];
	for (const value of wrong) assert.equal(readTraceparent(value), undefined, String(value));
});
