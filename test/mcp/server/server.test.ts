import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { Failure } from "../../../src/base/failure.ts";
import { currentTrace } from "../../../src/base/traces/traceContext.ts";
import type { ServerOptions } from "../../../src/mcp/server/server.ts";
import { createBoundedLines, createStdioTransport } from "../../../src/mcp/server/stdioTransport.ts";
import { answering, connectTo, scriptedTool, waiting } from "../scriptedTool.ts";

test("cancelling a call cancels its tool, and other calls are still answered", async (t) => {
	const { tool, started, cancelled } = waiting("wait");
	const client = await connectTo(t, { tools: [tool, answering("answer", "yes")] });
	const controller = new AbortController();
	const options = { signal: controller.signal };
	const call = client.callTool({ name: "wait" }, CallToolResultSchema, options);
	await started;
	controller.abort();
	await assert.rejects(call);
	await cancelled;
	assert.deepEqual((await client.callTool({ name: "answer" })).structuredContent, { answer: "yes" });
});

test("a call reports indexing progress, runs in the caller's span, and ends with its notices", async (t) => {
	const [asked, seen, heard]: [unknown[], unknown[], unknown[]] = [[], [], []];
	const prepare: ServerOptions["prepare"] = async (report, _signal, question) => {
		asked.push(question);
		for (const done of [0, 0, 5, 3, 9])
			report({ done, total: done === 0 ? 0 : 9, found: 0, current: "a.md" });
		return ["The index is old."];
	};
	const answer = answering("answer", "yes");
	const run: typeof answer.run = (...given) => {
		seen.push(currentTrace());
		return answer.run(...given);
	};
	const client = await connectTo(t, { tools: [{ ...answer, run }], prepare });
	const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
	const _meta = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` };
	const call = { name: "answer", arguments: { query: "the lamp of Skagen", limit: 3 }, _meta };
	const onprogress = (progress: unknown) => heard.push(progress);
	const { content, structuredContent } = await client.callTool(call, CallToolResultSchema, { onprogress });
	assert.deepEqual(structuredContent, { answer: "yes", notices: ["The index is old."] });
	assert.match(JSON.stringify(content), /"text":"yes".*"text":"Note: The index is old\."/);
	await client.callTool({ name: "answer", _meta: { traceparent: "00-nonsense" } });
	assert.deepEqual(asked, ["the lamp of Skagen", ""]);
	assert.deepEqual(seen, [caller, undefined]);
	// Progress increases, and is sent only if requested.
	assert.deepEqual(heard, [
		{ progress: 0, message: "Listing the files" },
		{ progress: 5, total: 9, message: "Indexing a.md" },
		{ progress: 9, total: 9, message: "Indexing a.md" },
	]);
});

test("a failure becomes a result with its message, and a bug becomes a protocol error", async (t) => {
	const failing = scriptedTool("fail", async () => {
		throw new Failure("NO_INDEX", "Index it first.");
	});
	const broken = scriptedTool("break", async () => {
		throw new TypeError("undefined is not a function");
	});
	const enveloped = { ...failing, name: "run", outputSchema: { type: "object", properties: { status: {} } } };
	const client = await connectTo(t, { tools: [failing, broken, enveloped] });
	const { content, isError } = await client.callTool({ name: "fail" });
	assert.deepEqual([content, isError], [[{ type: "text", text: "Index it first." }], true]);
	const refused = await client.callTool({ name: "run" });
	const [{ text: envelope }] = refused.content as [{ text: string }];
	assert.deepEqual(JSON.parse(envelope), refused.structuredContent);
	const { timestamp, ...structure } = JSON.parse(envelope);
	assert.deepEqual(structure, { status: "error", error: { code: "NO_INDEX", message: "Index it first." } });
	assert.match(String(timestamp), /^\d{4}-/);
	await assert.rejects(client.callTool({ name: "break" }), /undefined is not a function/);
});

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

test("lines are complete, and too long lines are reported by both ends, for every chunk size", () => {
	const fits = "æ".repeat(LIMIT / 2);
	const text = `one\n\n${fits}\nfirst${"x".repeat(3 * LIMIT)}last!\n${fits}y\n2\r\nno end`;
	const expected = ["one", fits, "long: first…last!", "long: æææææ…ææææy", "2\r"];
	for (const chunkBytes of [1, 7, 4096, LIMIT, 1_000_000])
		assert.deepEqual(hear(text, chunkBytes), expected, `${chunkBytes}`);
});

test("an invalid or too long line is refused with its id, and the next line is read", async () => {
	const answers: string[] = [];
	const output = new Writable({
		write: (chunk, _encoding, done) => {
			const { id, error } = JSON.parse(String(chunk));
			answers.push(`${JSON.stringify(id)} ${error.code}`);
			done();
		},
	});
	const input = new PassThrough();
	const transport = createStdioTransport(input, output);
	const heard: unknown[] = [];
	transport.onmessage = (message) => heard.push(message);
	await transport.start();
	const message = { jsonrpc: "2.0", id: 11, method: "tools/list" };
	const long = "x".repeat(2_000_000);
	const unreadable = ["x", "{", '"', "[".repeat(900_000), "\0\x01"];
	const lines = {
		[`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"${long}"}`]: "7 -32600",
		[`{"method":"tools/call","params":{"a":"${long}"},"jsonrpc":"2.0","id":"eight"}`]: '"eight" -32600',
		[`{"params":{"id":9,"a":"${long}"},"id":10,"jsonrpc":"2.0"}`]: "10 -32600",
		[`{"params":{"a":"${long}","id":9}}`]: "null -32600",
		...Object.fromEntries(unreadable.map((line) => [line, "null -32700"])),
		...{ null: "null -32600", "[]": "null -32600", '{"id":3}': "3 -32600" },
	};
	input.end(`${Object.keys(lines).join("\n")}\n${JSON.stringify(message)}\n`);
	await once(input, "end");
	assert.deepEqual(answers, Object.values(lines));
	assert.deepEqual(heard, [message]);
});

test("a message is a single line by every definition of line ends", async () => {
	const output = new PassThrough();
	const message = { jsonrpc: "2.0", method: "a\u2028b\u2029c\u0085d" } as const;
	await createStdioTransport(new PassThrough(), output).send(message);
	const written = String(output.read());
	assert.doesNotMatch(written, /[\u0085\u2028\u2029]/);
	assert.deepEqual(JSON.parse(written), message);
});

test("reading pauses while the client reads no answers", async () => {
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
