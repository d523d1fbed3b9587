import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphResult } from "../../../src/core/knowledge/graph.ts";
import { resultText } from "../../../src/vscode/language/queries.ts";

const datatype = "http://www.w3.org/2001/XMLSchema#integer";
const row = { n: { termType: "Literal", value: "1", datatype } } as const;
const answer = { kind: "rows", variables: ["n"], rows: [row, row], total: 2, truncated: false } as const;

test("a result says that the rows are all only if nothing left any out", () => {
	const countOf = (result: Pick<GraphResult, "answer" | "isPartial">, sparql: string) =>
		resultText({ sources: [], notices: [], ...result }, sparql, {}).text.split("\n")[0];
	const all = "SELECT ?n { ?s ?p ?n }";
	assert.equal(countOf({ answer }, all), "2 rows, all there are.");
	assert.equal(countOf({ answer }, `${all} LIMIT 2`), "2 rows (the query's LIMIT).");
	assert.equal(countOf({ answer, isPartial: true }, all), "2 rows.");
	const cut = { ...answer, total: 900, truncated: true };
	assert.equal(countOf({ answer: cut }, all), "2 rows shown of 900; use LIMIT and OFFSET, or COUNT.");
});
