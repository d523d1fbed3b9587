import assert from "node:assert/strict";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createThreadedParser, type Parser } from "../../src/worker/threadedParser.ts";

const never = new AbortController().signal;

function hostileParser(t: TestContext, limitMs = 60_000): Parser {
	const program = resolve("test/worker/hostileThread.ts");
	const parser = createThreadedParser({ program, thread: {}, limitMs, maxHeapMb: 64 });
	t.after(() => parser.close());
	return parser;
}

const read = (parser: Parser, path: string, signal = never) =>
	parser.parse({ uri: `file:///${path}`, path }, signal);

const harms: [deed: string, reason: RegExp][] = [
	["crash", /^the parser broke: a bug in a parser$/],
	["exit", /^the parser ended$/],
	["gorge", /^the parser broke: .*memory/],
	["tell", /^a part broke$/],
];

for (const [deed, expected] of harms) {
	test(`a file that makes the parser ${deed} fails alone`, async (t) => {
		const parser = hostileParser(t);
		const answer = await read(parser, deed);
		assert.ok(answer.kind === "leftOut" && answer.state.kind === "failed");
		assert.match(answer.state.reason, expected);
		assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
	});
}

test("a file that takes too long fails, and the next is read", async (t) => {
	const parser = hostileParser(t, 50);
	const state = { kind: "failed", reason: "took longer than 0.05 s" };
	assert.deepEqual(await read(parser, "hang"), { kind: "leftOut", state });
	assert.deepEqual(await read(hostileParser(t), "answer"), { kind: "unchanged" });
});

test("an aborted signal ends even a parser that hangs", async (t) => {
	const parser = hostileParser(t);
	await read(parser, "answer");
	const controller = new AbortController();
	const answer = read(parser, "hang", controller.signal);
	controller.abort();
	await assert.rejects(answer, { name: "AbortError" });
	assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
});

test("a thread that cannot start is no fault of the file", async (t) => {
	const parser = createThreadedParser({
		program: resolve("test/worker/gone.ts"),
		thread: {},
		limitMs: 1,
		maxHeapMb: 64,
	});
	t.after(() => parser.close());
	await assert.rejects(read(parser, "answer"), { code: "ERR_MODULE_NOT_FOUND" });
});
