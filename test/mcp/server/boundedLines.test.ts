import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoundedLines } from "../../../src/mcp/server/boundedLines.ts";

const LIMIT = 10_000;

function hear(text: string, chunkBytes: number): string[] {
	const heard: string[] = [];
	const lines = createBoundedLines(LIMIT, {
		onLine: (line) => heard.push(line),
		onTooLong: (head, tail) => heard.push(`too long: ${head.slice(0, 5)}…${tail.slice(-5)}`),
	});
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += chunkBytes)
		lines.add(bytes.subarray(start, start + chunkBytes));
	return heard;
}

for (const chunkBytes of [1, 7, 4096, LIMIT, 1_000_000]) {
	test(`lines are whole, and long ones known by their ends, in chunks of ${chunkBytes} bytes`, () => {
		const fits = "æ".repeat(LIMIT / 2);
		const text = `one\n\n${fits}\nfirst${"x".repeat(3 * LIMIT)}last!\n${fits}y\ntwo\r\nno end`;
		assert.deepEqual(hear(text, chunkBytes), [
			"one",
			fits,
			"too long: first…last!",
			"too long: æææææ…ææææy",
			"two\r",
		]);
	});
}
