import { isMap, isSeq, parseDocument } from "yaml";
import * as z from "zod";
import { Failure } from "../base/failure.ts";
import { type LocatedYaml, readLocatedYaml } from "../base/yaml/locatedYaml.ts";
import type {
	Asked,
	Expectation,
	KnowledgeTest,
	Measure,
	TestFailure,
	TextKind,
} from "../core/knowledge/knowledgeTest.ts";

export const TESTS_PATH = ".copilot-ld/tests.yaml";

const text = z.string().trim().min(1, "is empty");
const texts = z.union([text, z.array(text).min(1, "is empty")]);
const count = z.int().min(0);
const atMost = z.strictObject({ max: count.describe("Maximum.") });

const traceSchema = z.strictObject({
	calls: texts.optional().describe("Tools that must be called."),
	callsNot: texts.optional().describe("Tools that must not be called."),
	callCount: z
		.strictObject({ min: count.optional(), max: count.optional() })
		.optional()
		.describe("Allowed number of tool calls."),
	rounds: atMost.optional().describe("Limit on requests to the language model."),
	milliseconds: atMost.optional().describe("Limit on the time from the question to the end of the answer."),
	tokens: atMost.optional().describe("Limit on the tokens that the language model reads and writes."),
});

const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const expected = {
	cites: texts.optional().describe("Places that the answer must cite: path, or path:lines."),
	citesNot: texts.optional().describe("Places that the answer must not cite."),
	says: texts.optional().describe("Words that the answer must contain, in upper or lower case."),
	saysNot: texts.optional().describe("Words that the answer must not contain."),
	finds: texts.optional().describe("IRIs, names or places that the search results must contain."),
	counts: count.optional().describe("Number of resources that the graph must count."),
	rows: z
		.union([count, row, z.array(row).min(1)])
		.optional()
		.describe("Number of rows that the query must return, or rows that must be among them."),
	trace: traceSchema
		.optional()
		.describe("Tools that the agent must or must not call, and limits on calls, requests, time and tokens."),
	criteria: texts
		.optional()
		.describe("Criteria in words. A language model judges them, if one is configured."),
};

const testSchema = z
	.strictObject({
		name: text.optional().describe("Name of the test. Defaults to the question."),
		ask: text.optional().describe("A question to the agent."),
		search: text.optional().describe("A search in the knowledge base; needs no language model."),
		query: text.optional().describe("A SPARQL query; needs no language model."),
		...expected,
	})
	.check(({ value, issues }) => {
		const asked = [value.ask, value.search, value.query].filter((one) => one !== undefined);
		const fail = (message: string, ...path: string[]) =>
			issues.push({ code: "custom", message, input: value, path });
		if (asked.length !== 1) fail("A test has exactly one of ask, search, and query.");
		else if (value.rows !== undefined && value.query === undefined)
			fail("Only a query returns rows: write query instead.", "rows");
		else if (!EXPECTED.some((name) => value[name] !== undefined))
			fail("Specify what is expected, for example with cites, says, or rows.");
	});

const EXPECTED = Object.keys(expected) as (keyof typeof expected)[];

/** Each test is parsed separately, so that a mistake affects one test only. */
const shellSchema = z.strictObject({ tests: z.array(z.unknown()) });

export const fileSchema = z.strictObject({
	tests: z.array(testSchema).describe("Questions to the knowledge base, with expectations of the answers."),
});

export type WrittenTest = z.infer<typeof testSchema>;

export interface TestFile {
	readonly tests: readonly KnowledgeTest[];
	readonly mistakes: readonly TestFailure[];
}

const MOST_CHARACTERS = 1_000_000;

type LineAt = (...path: PropertyKey[]) => number;

/** Reads a file of tests. Never throws. */
export function readTestFile(text: string): TestFile {
	if (text.length > MOST_CHARACTERS)
		return { tests: [], mistakes: [{ line: 1, message: "The file is longer than a million characters." }] };
	const { value = { tests: [] }, mistake, lineOf } = readLocatedYaml(text);
	if (mistake) return { tests: [], mistakes: [mistake] };
	const file = shellSchema.safeParse(value);
	if (!file.success)
		return { tests: [], mistakes: file.error.issues.flatMap((issue) => mistakesIn(issue, [], lineOf)) };
	const mistakes: TestFailure[] = [];
	const tests = file.data.tests.flatMap((written, index) => {
		const place = ["tests", index];
		const { data: test, error } = testSchema.safeParse(written);
		mistakes.push(...(error?.issues ?? []).flatMap((issue) => mistakesIn(issue, place, lineOf)));
		const at = (...path: PropertyKey[]) => lineOf([...place, ...path]);
		return test
			? [{ name: nameOf(test), line: at(), asks: askedBy(test), expectations: expectationsIn(test, at) }]
			: [];
	});
	const byName = [...Map.groupBy(tests, ({ name }) => name).values()];
	const sameNames = byName.flatMap(([, ...others]) => others);
	for (const { name, line } of sameNames.sort((a, b) => a.line - b.line)) {
		const message = `There is another test with the name "${name}" above. Give this one a different name.`;
		mistakes.push({ line, message });
	}
	return { tests: byName.flatMap(([first]) => first ?? []), mistakes };
}

function mistakesIn(issue: z.core.$ZodIssue, place: readonly PropertyKey[], lineOf: LocatedYaml["lineOf"]) {
	const path = [...place, ...issue.path];
	const where = path.map(String).join(".");
	const about = where ? `${where}: ` : "";
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => {
			return { line: lineOf([...path, key]), message: `${about}"${key}" is not supported here.` };
		});
	return [{ line: lineOf(path), message: `${about}${issue.message}` }];
}

function askedBy({ ask, search, query = "" }: WrittenTest): Asked {
	if (ask !== undefined) return { kind: "ask", question: ask };
	return search === undefined ? { kind: "query", sparql: query } : { kind: "search", query: search };
}

function nameOf({ name, ask, search, query = "" }: WrittenTest): string {
	return name ?? (ask ?? search ?? query).replace(/\s+/g, " ").trim();
}

function expectationsIn(test: WrittenTest, at: LineAt): Expectation[] {
	const { trace = {} } = test;
	const each = (kind: TextKind, texts: string | readonly string[] = [], ...path: string[]) =>
		[texts].flat().map((text, index): Expectation => {
			const line = typeof texts === "string" ? at(...path) : at(...path, index);
			return { kind, text, line };
		});
	const countOf = (total: number): Expectation => ({ kind: "counts", line: at("counts"), total });
	return [
		...(["cites", "citesNot", "says", "saysNot", "finds"] as const).flatMap((kind) =>
			each(kind, test[kind], kind),
		),
		...(test.counts === undefined ? [] : [countOf(test.counts)]),
		...rowsIn(test, at),
		...(["calls", "callsNot"] as const).flatMap((kind) => each(kind, trace[kind], "trace", kind)),
		...limitsIn(trace, at),
		...each("criterion", test.criteria, "criteria"),
	];
}

function rowsIn({ rows }: WrittenTest, at: LineAt): Expectation[] {
	if (rows === undefined) return [];
	if (typeof rows === "number") return [{ kind: "rowCount", line: at("rows"), total: rows }];
	return (Array.isArray(rows) ? rows : [rows]).map((row, index) => ({
		kind: "row",
		line: at("rows", index),
		values: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
	}));
}

function limitsIn(trace: NonNullable<WrittenTest["trace"]>, at: LineAt): Expectation[] {
	const { callCount = {} } = trace;
	const limit = (kind: "atMost" | "atLeast", measure: Measure, value?: number, ...path: string[]) =>
		value === undefined ? [] : [{ kind, measure, value, line: at("trace", ...path) }];
	return [
		...limit("atLeast", "calls", callCount.min, "callCount", "min"),
		...limit("atMost", "calls", callCount.max, "callCount", "max"),
		...(["rounds", "milliseconds", "tokens"] as const).flatMap((measure) =>
			limit("atMost", measure, trace[measure]?.max, measure, "max"),
		),
	];
}

/** Appends tests and keeps the file's comments. Throws a `Failure` if the file has mistakes. */
export function addTests(text: string, tests: readonly WrittenTest[]): string {
	const { tests: former, mistakes } = readTestFile(text);
	const [mistake] = mistakes;
	if (mistake)
		throw new Failure("BAD_INPUT", `Correct the test file first: line ${mistake.line}: ${mistake.message}`);
	const document = parseDocument(text.trim() === "" ? "tests: []\n" : text);
	const list = isMap(document.contents) ? document.contents.get("tests", true) : undefined;
	if (!isSeq(list)) throw new Failure("BAD_INPUT", "The test file has no list `tests`.");
	list.flow = false;
	const names = former.map(({ name }) => name);
	for (const test of tests) {
		const name = unused(test.name ?? test.ask ?? test.search ?? "Query", names);
		names.push(name);
		list.add(document.createNode({ ...test, name }));
	}
	return document.toString({ lineWidth: 100 });
}

function unused(name: string, names: readonly string[]): string {
	if (!names.includes(name)) return name;
	for (let number = 2; ; number++) if (!names.includes(`${name} (${number})`)) return `${name} (${number})`;
}
