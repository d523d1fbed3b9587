import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createStdioTransport } from "../../../src/mcp/server/stdioTransport.ts";

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
