import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphResult, KnowledgeGraph } from "../../src/core/knowledge/graph.ts";
import { createQueryTool } from "../../src/tools/knowledge/queryGraph.ts";

const ALL = "SELECT ?s { ?s ?p ?o }";

const rows: GraphResult["answer"] = {
	kind: "rows",
	variables: ["s"],
	rows: [{ s: { termType: "NamedNode", value: "urn:a" } }, { s: { termType: "NamedNode", value: "urn:b" } }],
	total: 2,
	truncated: false,
};

async function headOf(sparql: string, result: Partial<GraphResult> = {}): Promise<string | undefined> {
	const graph: KnowledgeGraph = {
		check: async () => [],
		query: async () => ({ answer: rows, sources: [], notices: [], ...result }),
		ontology: () => Promise.reject(new Error("not asked for")),
	};
	const tool = createQueryTool(graph, "tools");
	const { text } = await tool.run({ sparql }, { signal: new AbortController().signal });
	return text.split("\n")[0];
}

const QUADS = { kind: "quads", quads: [], truncated: false } as const;
const MANY = { ...rows, truncated: true, total: 500 } as const;

for (const [sparql, head, result] of [
	[ALL, "2 rows (complete):"],
	[`${ALL} LIMIT 2`, "2 rows (cut by the query's LIMIT 2):"],
	[
		`${ALL} ORDER BY ?s\nlimit 2 offset 4 # LIMIT 9`,
		"2 rows (cut by the query's LIMIT 2; after the query's OFFSET 4):",
	],
	[`${ALL} LIMIT 3`, "2 rows (complete):"],
	[`${ALL} OFFSET 1`, "2 rows (after the query's OFFSET 1):"],
	[`${ALL} OFFSET 0`, "2 rows (complete):"],
	["SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 2 } }", "2 rows (complete):"],
	['SELECT ?s { ?s ?p "LIMIT 2" }', "2 rows (complete):"],
	[
		"CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT 9",
		"0 statements (cut by the query's LIMIT 9):",
		{ answer: QUADS },
	],
	[ALL, "2 of 500 rows (truncated: use COUNT, or LIMIT and OFFSET):", { answer: MANY }],
	[
		`${ALL} LIMIT 500`,
		"2 of 500 rows (truncated: use COUNT, or LIMIT and OFFSET; cut by the query's LIMIT 500):",
		{ answer: MANY },
	],
	[ALL, "2 rows (not complete):", { isPartial: true }],
	["DESCRIBE <urn:a>", "0 statements (not complete):", { answer: QUADS, isPartial: true }],
] as const)
	test(`${JSON.stringify(sparql)} gives ${head.slice(0, -1)}`, async () =>
		assert.equal(await headOf(sparql, result), head));
