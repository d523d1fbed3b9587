import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createBoundedLines } from "../../../src/mcp/server/boundedLines.ts";
import { createStdioTransport } from "../../../src/mcp/server/stdioTransport.ts";

const LIMIT = 10_000;

function hear(text: string, chunkBytes: number): string[] {
	const heard: string[] = [];
	const lines = createBoundedLines(LIMIT, {
		onLine: (line) => heard.push(line),
		onTooLong: (head, tail) => heard.push(`long: ${head.slice(0, 5)}…${tail.slice(-5)}`),
	});
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += chunkBytes)
		lines.add(bytes.subarray(start, start + chunkBytes));
	return heard;
}

for (const chunkBytes of [1, 7, 4096, LIMIT, 1_000_000]) {
	test(`lines are whole, and long ones known by their ends, in chunks of ${chunkBytes} bytes`, () => {
		const fits = "æ".repeat(LIMIT / 2);
		const text = `one\n\n${fits}\nfirst${"x".repeat(3 * LIMIT)}last!\n${fits}y\n2\r\nno end`;
		assert.deepEqual(hear(text, chunkBytes), ["one", fits, "long: first…last!", "long: æææææ…ææææy", "2\r"]);
	});
}

test("a message is one line, whatever a client calls the end of a line", async () => {
	const output = new PassThrough();
	const message = { jsonrpc: "2.0", method: "a\u2028b\u2029c\u0085d" } as const;
	await createStdioTransport(new PassThrough(), output).send(message);
	const written = String(output.read());
	assert.doesNotMatch(written, /[\u0085\u2028\u2029]/);
	assert.deepEqual(JSON.parse(written), message);
});

test("while nobody reads the answers nothing more is read, and nothing piles up", async () => {
	const input = new PassThrough();
	const waiting: (() => void)[] = [];
	let answers = 0;
	const output = new Writable({
		highWaterMark: 1000,
		write: (_chunk, _encoding, done) => {
			answers++;
			waiting.push(done);
		},
	});
	await createStdioTransport(input, output).start();
	for (let chunk = 0; chunk < 1000; chunk++) input.write("x\n".repeat(10));
	await setImmediate();
	assert.ok(input.isPaused() && output.writableLength < 5000);
	while (waiting.length > 0) {
		waiting.shift()?.();
		await setImmediate();
		assert.ok(output.writableLength < 5000);
	}
	assert.equal(answers, 10_000);
});
