import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import type { ParsedDocument } from "../../../src/core/knowledge/document.ts";
import { openStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { createAnalyzer, markOf } from "../../../src/search/analyzer.ts";
import { createTermReceiver, passagesIn } from "../../../src/search/termCounts.ts";
import { createParserProcess, type Parser } from "../../../src/worker/parsing/parserProcess.ts";
import { CLOCK_STREAM } from "../../../src/worker/parsing/processorClock.ts";
import { createPassageReader, withinLimits } from "../../../src/worker/parsing/readDocument.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
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

const embedder = await openStaticEmbedder(resolve("media/model"));
const lines = { start: 1, end: 1 };

const texts = [
	"Opening a file, opening files and reopening them.",
	"fs.readFile, snake_case_name and getElementById in HTTPServer; m5.large costs 3.14.",
	"C++ and C# on ASP.NET, F# and .NET; c＋＋ too.",
	"Cafe\u0301 naïve ﬁle №5 … 中文 検索 한국어 𝐀𝐁 😀 \ud800 x²",
	"dots. And_ lines._ only . _ ",
	`${"aB".repeat(60)} ${"word ".repeat(300)}`,
	"Die Wärter zünden die Lampen an, und das Nebelhorn für den HTTPServer bleibt stumm.",
	"Смотрители маяка зажигают лампы в Windows каждый вечер.",
	"灯塔管理员每天晚上点亮2014年的灯。",
	"",
];

function countsOf(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, Math.min(255, (counts.get(term) ?? 0) + 1));
	return counts;
}

test("the reader gives passages the vectors and terms of their texts", async () => {
	const reader = createPassageReader(embedder);
	const receive = createTermReceiver();
	const { termsOf } = createAnalyzer();
	for (const title of ["Guide", "Handbuch für C#"]) {
		const { vectors, terms, embedder: id } = reader.read(texts.map((text) => ({ title, text, lines })));
		const contents = texts.map((text) => `${title}\n${text}`);
		assert.equal(id, embedder.id);
		assert.deepEqual(vectors, await embedder.embed(contents));
		const counted = [...passagesIn(receive(structuredClone(terms)))];
		for (const [at, { length, vocabulary, numbers, counts }] of counted.entries()) {
			const { terms, language } = termsOf(contents[at] ?? "");
			assert.equal(length, terms.length);
			const found = new Map([...numbers].map((number, place) => [vocabulary[number], counts[place]]));
			assert.deepEqual(found, countsOf(language ? [...terms, markOf(language)] : terms));
		}
		assert.equal(counted.length, contents.length);
	}
});

const CHARACTERS = { statementCharacters: 30, passageCharacters: 40 };
const LIMITS = { statements: 5, passages: 4, resources: 3, problems: 2, ...CHARACTERS };

function documentOf({ quads = 1, passages = 1, resources = 1, problems = 1, length = 1 }): ParsedDocument {
	const term = { termType: "NamedNode", value: "x".repeat(length) } as const;
	return {
		title: "t",
		quads: times(quads, () => ({ subject: term, predicate: term, object: term, lines })),
		passages: times(passages, () => ({ title: "t", text: "x".repeat(length), lines })),
		resources: times(resources, () => ({ id: "r", types: [], label: "r", lines })),
		problems: times(problems, () => ({ severity: "warning", message: "m", lines })),
	};
}

for (const [what, given, sizes, told] of [
	["statements", { quads: 9 }, [5, 1, 1, 2], /only 5 of 9 statements are in the index/],
	["long statements", { quads: 4, length: 4 }, [2, 1, 1, 2], /only 2 of 4 statements/],
	["passages", { passages: 7 }, [1, 4, 1, 2], /only 4 of 7 passages/],
	["long passages", { passages: 3, quads: 0, length: 15 }, [0, 2, 1, 2], /only 2 of 3 passages/],
	["resources", { resources: 9, quads: 6 }, [5, 1, 3, 2], /5 of 6 statements and 3 of 9 resources/],
] as const)
	test(`a document with too many ${what} keeps the first and reports the number of all`, () => {
		const { quads, passages, resources, problems } = withinLimits(documentOf(given), LIMITS);
		assertMapped([quads, passages, resources, problems], ({ length }) => length, sizes);
		for (const words of [told, /Split it/]) assert.match(problems[0]?.message ?? "", words);
	});
