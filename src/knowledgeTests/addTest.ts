import { isMap, isSeq, parseDocument } from "yaml";
import { Failure } from "../base/failure.ts";
import type { WrittenTest } from "./schema.ts";
import { readTestFile } from "./testFile.ts";

/** Appends tests to a file of tests, keeping its comments. Throws if the file has mistakes. */
export function addTests(text: string, tests: readonly WrittenTest[]): string {
	const [mistake] = readTestFile(text).mistakes;
	if (mistake)
		throw new Failure("BAD_INPUT", `Correct the test file first: line ${mistake.line}: ${mistake.message}`);
	const document = parseDocument(text.trim() === "" ? "tests: []\n" : text);
	const list = isMap(document.contents) ? document.contents.get("tests", true) : undefined;
	if (!isSeq(list)) throw new Failure("BAD_INPUT", "The test file has no list `tests`.");
	list.flow = false;
	const names = readTestFile(text).tests.map(({ name }) => name);
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
