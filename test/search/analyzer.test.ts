import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnalyzer } from "../../src/search/analyzer.ts";

const { termsOf, queryTermsOf } = createAnalyzer();

const texts: Record<string, readonly string[]> = {
	"The valves were closing.": ["valv", "close"],
	"Crème brûlée in Zürich": ["creme", "brule", "zurich"],
	"call getElementById": ["call", "element", "getelementbyid"],
	"an HTTPServer": ["http", "server", "httpserver"],
	max_open_files: ["max", "open", "file", "max_open_files"],
	"fs.readFile m5.large 3.14": [
		"fs",
		"read",
		"file",
		"fs.readfile",
		"m5",
		"larg",
		"m5.large",
		"3",
		"14",
		"3.14",
	],
	"Ende. Anfang": ["end", "anfang"],
	知識の泉: ["知識", "識の", "の泉"],
	"of the and": [],
	"😀 -- !": [],
	[`x${"y".repeat(200)}`]: [],
};

for (const [text, terms] of Object.entries(texts)) {
	test(`the terms of ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(termsOf(text), terms));
}

test("a query takes a whole name where a passage has it, else its parts", () => {
	assert.deepEqual(
		queryTermsOf("CloudWatch alarms", (term) => term === "cloudwatch"),
		["cloudwatch", "alarm"],
	);
	assert.deepEqual(
		queryTermsOf("CloudWatch alarms", () => false),
		["cloud", "watch", "alarm"],
	);
});
