import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { getPriority } from "node:os";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createParserProcess, type Parser } from "../../../src/worker/parsing/parserProcess.ts";
import { CLOCK_STREAM } from "../../../src/worker/parsing/processorClock.ts";
import { never, startIn } from "../workerProcess.ts";
import { type Files, makeWorkspace } from "../workspace.ts";

function hostileParser(t: TestContext, limitMs = 60_000, patienceMs = 300_000): Parser {
	const program = resolve("test/worker/parsing/hostileProgram.ts");
	const parser = createParserProcess({ program, options: {}, limitMs, patienceMs, maxHeapMb: 64 });
	t.after(() => parser.close());
	return parser;
}

const read = (parser: Parser, path: string, signal = new AbortController().signal) =>
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
	test(`a file that makes the parser ${deed} fails alone, also right behind small ones`, async (t) => {
		const parser = hostileParser(t, ...limits);
		for (let file = 0; file < 20; file++)
			assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
		const answer = await read(parser, deed);
		assert.ok(answer.kind === "leftOut" && answer.state.kind === "failed");
		assert.match(answer.state.reason, expected);
		assert.deepEqual(await read(parser, "answer"), { kind: "unchanged" });
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

test("a parser that cannot start is no fault of the file", async (t) => {
	const program = resolve("test/worker/gone.ts");
	const parser = createParserProcess({ program, options: {}, limitMs: 1, maxHeapMb: 64 });
	t.after(() => parser.close());
	await assert.rejects(read(parser, "answer"), /The parser did not start \(exit code 1\)/);
});

test("the parser's process lets the worker and the editor go first", async (t) => {
	const child = fork("src/worker/parsing/parserProgram.ts", ["{}"], { execArgv: [] });
	t.after(() => child.kill());
	await once(child, "message");
	assert.ok(getPriority(child.pid) > getPriority());
});

test("a parser that hangs ends by itself when its worker is gone", async () => {
	const child = fork("test/worker/parsing/hostileProgram.ts", [], {
		execArgv: [],
		stdio: ["ignore", "ignore", "inherit", "ipc", "pipe"],
	});
	await once(child, "message");
	child.stdio[CLOCK_STREAM]?.destroy();
	child.send({ path: "hang" });
	assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
});

const GOOD = "# Beacon\n\nThe beacon of Dover burns whale oil.\n";

const levelOf = (at: number) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`;
const levels = Array.from({ length: 9 }, (_, at) => levelOf(at));

const hostile: Files = {
	"zeros.md": new Uint8Array(1_000_000),
	"noise.txt": Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251),
	"deep.html": "<div>".repeat(100_000),
	"unclosed.html": `<script type="application/ld+json">${'{"a":['.repeat(50_000)}`,
	"bomb.md": `---\nl0: &l0 lol\n${levels.join("\n")}\n---\n# Bomb\n`,
	"quotes.md": "> ".repeat(50_000),
	"proto.md": "---\n__proto__: {polluted: yes}\nconstructor: 1\n---\n# P\n",
	"a%2fb ..?#\n.md": "# Odd name\n\nAn oddity.\n",
};

test("hostile files neither stop the index nor hide the others", async (t) => {
	const files = { "a.md": GOOD, ...hostile, "z.md": GOOD.replace("Dover", "Calais") };
	const workspace = await makeWorkspace(t, files);
	await mkdir(workspace.path("folder.md"));
	const socket = createServer().listen(process.platform === "win32" ? 0 : workspace.path("socket.md"));
	await once(socket, "listening");
	t.after(() => socket.close());
	const { index, search, knowledge } = await startIn(t, workspace);
	const report = await index();
	assert.ok(report.indexed >= 3);
	const best = (await search("whale oil beacon")).hits.slice(0, 2).map(({ path }) => path);
	assert.deepEqual(best.sort(), ["a.md", "z.md"]);
	const odd = await search("oddity");
	assert.equal(odd.hits[0]?.path, "a%2fb ..?#\n.md");
	const status = await knowledge.status(never);
	assert.equal(status.skipped["not a regular file"], process.platform === "win32" ? undefined : 1);
	t.diagnostic(JSON.stringify({ report, skipped: status.skipped, failed: status.failed }));
});
