import assert from "node:assert/strict";
import { test } from "node:test";
import {
	currentTrace,
	inTrace,
	newTraceContext,
	outgoingTrace,
	readTraceparent,
	streamInTrace,
} from "../../../src/base/traces/traceContext.ts";

test("what an action begins belongs to its span, and what is told to have none to none", async () => {
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

test("a stream works in its span, and whoever reads it stays outside", async () => {
	const context = newTraceContext();
	const inside: unknown[] = [];
	async function* stream() {
		try {
			inside.push(currentTrace());
			yield 1;
			yield 2;
		} finally {
			inside.push(currentTrace());
		}
	}
	for await (const item of streamInTrace(context, stream)) {
		assert.equal(currentTrace(), undefined);
		if (item === 1) break;
	}
	assert.deepEqual(inside, [context, context]);
});

test("what another program says of its span is taken only as the standard writes it", () => {
	const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
	const read = { traceId: trace, spanId: span };
	assert.deepEqual(readTraceparent(`00-${trace}-${span}-00`), read);
	// A later version may say more.
	assert.deepEqual(readTraceparent(`01-${trace}-${span}-01-more`), read);
	const wrong = [
		...[undefined, 7, "", `00-${trace}-${span}`, `ff-${trace}-${span}-01`, `00-${trace}-${span}-01-more`],
		...[`00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${"0".repeat(16)}-01`],
		...[`00-${trace.toUpperCase()}-${span}-01`, `00-${trace}-${span}-01\r\nx: y`],
		`01-${trace}-${span}-01-${"x".repeat(1000)}`,
	];
	for (const value of wrong) assert.equal(readTraceparent(value), undefined, String(value));
});
