import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createParserProcess, type Parser } from "../../../src/worker/parsing/parserProcess.ts";
import { CLOCK_STREAM } from "../../../src/worker/parsing/processorClock.ts";
import { never } from "../workspace.ts";

function hostileParser(t: TestContext, limitMs = 60_000, patienceMs = 300_000): Parser {
	const program = resolve("test/worker/parsing/hostileProgram.ts");
	const parser = createParserProcess({ program, options: {}, limitMs, patienceMs, maxHeapMb: 64 });
	t.after(() => parser.close());
	return parser;
}

const read = (parser: Parser, path: string, signal = never) =>
	parser.parse({ uri: `file:///${path}`, path }, signal);

const CRASHED = /^the parser crashed, or ran out of memory$/;

const harms: [deed: string, reason: RegExp, limitMs?: number, patienceMs?: number][] = [
	["crash", CRASHED],
	["exit", CRASHED],
	["gorge", CRASHED],
	["swell", /^took more than 900 MB of memory$/],
	["tell", /^a part broke$/],
	["hang", /^took longer than 0\.05 s of processor time$/, 50],
	["wait", /^did not end within 0\.2 s$/, 100, 100],
];

for (const [deed, expected, ...limits] of harms)
	test(`a file that makes the parser ${deed} fails without affecting other files`, async (t) => {
		const parser = hostileParser(t, ...limits);
		for (let file = 0; file < 20; file++)
			assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
		const answer = await read(parser, deed);
		assert.ok(answer.kind === "leftOut" && answer.state.kind === "failed");
		assert.match(answer.state.reason, expected);
		assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
	});

for (const [path, expected] of [
	["done", { kind: "done", output: [] }],
	["refused", { kind: "refused", reason: "the name is taken" }],
	["crash", { kind: "broken", reason: "the parser crashed, or ran out of memory" }],
] as const)
	test(`a renaming that is ${path} says so`, async (t) => {
		const input = { uri: `file:///${path}`, path, iri: "https://a.example/old", to: "https://a.example/new" };
		assert.deepEqual(await hostileParser(t).work({ task: "rename", input }, never), expected);
	});

test("an aborted signal ends a hanging parser", async (t) => {
	const parser = hostileParser(t);
	await read(parser, "answer");
	const controller = new AbortController();
	const answer = read(parser, "hang", controller.signal);
	controller.abort();
	await assert.rejects(answer, { name: "AbortError" });
	assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
});

test("a parser that cannot start rejects the request", async (t) => {
	const program = resolve("test/worker/gone.ts");
	const parser = createParserProcess({ program, options: {}, limitMs: 1, maxHeapMb: 64 });
	t.after(() => parser.close());
	await assert.rejects(read(parser, "answer"), /The parser did not start \(exit code 1\)/);
});

test("the parser's process has a lower priority than the worker", async (t) => {
	const child = fork("src/worker/parsing/parserProgram.ts", ["{}"], { execArgv: [] });
	t.after(() => child.kill());
	await once(child, "message");
	assert.ok(getPriority(child.pid) > getPriority());
});

test("a hanging parser ends after the end of its worker", async () => {
	const stdio = ["ignore", "ignore", "inherit", "ipc", "pipe"] as const;
	const child = fork("test/worker/parsing/hostileProgram.ts", [], { execArgv: [], stdio: [...stdio] });
	await once(child, "message");
	child.stdio[CLOCK_STREAM]?.destroy();
	child.send({ path: "hang" });
	assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
});
