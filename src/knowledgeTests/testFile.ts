import type * as z from "zod";
import { readLocatedYaml } from "../base/yaml/locatedYaml.ts";
import type { Asked, KnowledgeTest, TestFailure } from "../core/knowledge/knowledgeTest.ts";
import { expectationsIn } from "./expectations.ts";
import { fileSchema, type WrittenTest } from "./schema.ts";

/** Where a folder keeps its tests. */
export const TESTS_PATH = ".copilot-ld/tests.yaml";

/** The tests of a file, and what in it is not understood; a test with a mistake is not among them. */
export interface TestFile {
	readonly tests: readonly KnowledgeTest[];
	readonly mistakes: readonly TestFailure[];
}

/** Nobody writes so many questions. */
const LONGEST = 1_000_000;

/** Reads a file of tests. Never throws. */
export function readTestFile(text: string): TestFile {
	if (text.length > LONGEST)
		return { tests: [], mistakes: [{ line: 1, message: "The file is longer than a million characters." }] };
	const { value, mistake, lineOf } = readLocatedYaml(text);
	if (mistake) return { tests: [], mistakes: [mistake] };
	if (value === undefined) return { tests: [], mistakes: [] };
	const read = fileSchema.safeParse(value);
	if (!read.success)
		return { tests: [], mistakes: read.error.issues.flatMap((issue) => mistakesIn(issue, lineOf)) };
	const tests = read.data.tests.map((test, index) => {
		const at = (...path: PropertyKey[]) => lineOf(["tests", index, ...path]);
		const asks = askedBy(test);
		return { name: nameOf(test), line: at(), asks, expectations: expectationsIn(test, at) };
	});
	const first = new Map(tests.toReversed().map((test) => [test.name, test]));
	const twice = tests.filter((test) => first.get(test.name) !== test);
	return {
		tests: tests.filter((test) => first.get(test.name) === test),
		mistakes: twice.map(({ name, line }) => ({
			line,
			message: `There is another test with the name "${name}" above. Give this one a different name.`,
		})),
	};
}

function mistakesIn(
	issue: z.core.$ZodIssue,
	lineOf: (path: readonly PropertyKey[]) => number,
): TestFailure[] {
	const where = issue.path.map(String).join(".");
	const about = where ? `${where}: ` : "";
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => ({
			line: lineOf([...issue.path, key]),
			message: `${about}"${key}" is not supported here.`,
		}));
	return [{ line: lineOf(issue.path), message: `${about}${issue.message}` }];
}

function askedBy({ ask, search, query = "" }: WrittenTest): Asked {
	if (ask !== undefined) return { kind: "ask", question: ask };
	if (search !== undefined) return { kind: "search", query: search };
	return { kind: "query", sparql: query };
}

function nameOf({ name, ask, search, query = "" }: WrittenTest): string {
	return name ?? (ask ?? search ?? query).replace(/\s+/g, " ").trim();
}
