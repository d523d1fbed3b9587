import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphAnswer } from "../../../src/core/knowledge/graph.ts";
import { literal, namedNode } from "../../../src/core/knowledge/rdf.ts";
import { formatsOf, writeResult } from "../../../src/vscode/language/queries.ts";

const P = "http://e.org/p";
const INTEGER = "http://www.w3.org/2001/XMLSchema#integer";
const thing = namedNode("http://e.org/a");
const rows: GraphAnswer = {
	kind: "rows",
	variables: ["x", "y"],
	rows: [
		{ x: thing, y: literal('a "b",\n\tc') },
		{ x: { termType: "BlankNode", value: "b0.1" }, y: literal("1", INTEGER) },
		{ y: literal("chat", undefined, "fr") },
	],
	total: 3,
	truncated: false,
};
const quads: GraphAnswer = {
	kind: "quads",
	quads: [literal("1", INTEGER), thing].map((object) => ({
		...{ subject: thing, predicate: namedNode(P), object, lines: { start: 0, end: 0 } },
	})),
	truncated: false,
};

test("results are written as standard CSV, TSV and Turtle", () => {
	const tsv = `?x\t?y\n<http://e.org/a>\t"a \\"b\\",\\n\\tc"\n_:b0.1\t"1"^^<${INTEGER}>\n\t"chat"@fr\n`;
	assert.equal(writeResult(rows, "csv"), 'x,y\nhttp://e.org/a,"a ""b"",\n\tc"\n_:b0.1,1\n,chat\n');
	assert.equal(writeResult(rows, "tsv"), tsv);
	const turtle = `<http://e.org/a> <${P}> "1"^^<${INTEGER}> ;\n\t<${P}> <http://e.org/a> .\n`;
	assert.equal(writeResult(quads, "ttl"), turtle);
	assert.deepEqual(formatsOf(quads), ["ttl"]);
});

test("a JSON result keeps kinds, languages and datatypes, and omits unbound variables", () => {
	const { head, results } = JSON.parse(writeResult(rows, "json"));
	assert.deepEqual(head, { vars: ["x", "y"] });
	const bnode = { type: "bnode", value: "b0.1" };
	assert.deepEqual(results.bindings[1], { x: bnode, y: { type: "literal", value: "1", datatype: INTEGER } });
	assert.deepEqual(results.bindings[2], { y: { type: "literal", value: "chat", "xml:lang": "fr" } });
	const written = JSON.parse(writeResult({ kind: "boolean", value: true }, "json"));
	assert.deepEqual(written, { head: {}, boolean: true });
});
