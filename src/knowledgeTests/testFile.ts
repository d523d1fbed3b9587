import * as z from "zod";
import { readLocatedYaml } from "../base/yaml/locatedYaml.ts";
import type {
	Asked,
	Expectation,
	KnowledgeTest,
	Measure,
	TestFailure,
	TextKind,
} from "../core/knowledge/knowledgeTest.ts";
import { testSchema, type WrittenTest } from "./schema.ts";

export const TESTS_PATH = ".copilot-ld/tests.yaml";

/** The tests of a file, and what in it is not understood; a test with a mistake is not among them. */
export interface TestFile {
	readonly tests: readonly KnowledgeTest[];
	readonly mistakes: readonly TestFailure[];
}

/** Maximum number of characters of a test file. */
const LONGEST = 1_000_000;

type LineAt = (...path: PropertyKey[]) => number;

/** Reads a file of tests. Never throws. */
export function readTestFile(text: string): TestFile {
	if (text.length > LONGEST)
		return { tests: [], mistakes: [{ line: 1, message: "The file is longer than a million characters." }] };
	const { value, mistake, lineOf } = readLocatedYaml(text);
	if (mistake) return { tests: [], mistakes: [mistake] };
	if (value === undefined) return { tests: [], mistakes: [] };
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
	const first = new Map(tests.toReversed().map((test) => [test.name, test]));
	const twice = tests.filter((test) => first.get(test.name) !== test);
	const sameNames = twice.map(({ name, line }) => ({
		line,
		message: `There is another test with the name "${name}" above. Give this one a different name.`,
	}));
	return {
		tests: tests.filter((test) => first.get(test.name) === test),
		mistakes: [...mistakes, ...sameNames],
	};
}

/** The tests of a file are read one by one: a mistake costs its own test only. */
const shellSchema = z.strictObject({ tests: z.array(z.unknown()) });

function mistakesIn(
	issue: z.core.$ZodIssue,
	place: readonly PropertyKey[],
	lineOf: (path: readonly PropertyKey[]) => number,
): TestFailure[] {
	const path = [...place, ...issue.path];
	const where = path.map(String).join(".");
	const about = where ? `${where}: ` : "";
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => ({
			line: lineOf([...path, key]),
			message: `${about}"${key}" is not supported here.`,
		}));
	return [{ line: lineOf(path), message: `${about}${issue.message}` }];
}

function askedBy({ ask, search, query = "" }: WrittenTest): Asked {
	if (ask !== undefined) return { kind: "ask", question: ask };
	if (search !== undefined) return { kind: "search", query: search };
	return { kind: "query", sparql: query };
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
