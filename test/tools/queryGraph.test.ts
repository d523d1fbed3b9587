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

test("rows are called complete only if the query's LIMIT and OFFSET left none out", async () => {
	assert.equal(await headOf(ALL), "2 rows (complete):");
	assert.equal(await headOf(`${ALL} LIMIT 2`), "2 rows (cut by the query's LIMIT 2):");
	assert.equal(
		await headOf(`${ALL} ORDER BY ?s\nlimit 2 offset 4 # LIMIT 9`),
		"2 rows (cut by the query's LIMIT 2; after the query's OFFSET 4):",
	);
	assert.equal(await headOf(`${ALL} LIMIT 3`), "2 rows (complete):");
	assert.equal(await headOf(`${ALL} OFFSET 1`), "2 rows (after the query's OFFSET 1):");
	assert.equal(await headOf(`${ALL} OFFSET 0`), "2 rows (complete):");
	assert.equal(await headOf("SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 2 } }"), "2 rows (complete):");
	assert.equal(await headOf('SELECT ?s { ?s ?p "LIMIT 2" }'), "2 rows (complete):");
	assert.equal(
		await headOf("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT 9", {
			answer: { kind: "quads", quads: [], truncated: false },
		}),
		"0 statements (cut by the query's LIMIT 9):",
	);
});

test("a total that is the query's LIMIT is not the number of all rows", async () => {
	const answer = { ...rows, truncated: true, total: 500 } as const;
	assert.equal(await headOf(ALL, { answer }), "2 of 500 rows (truncated: use COUNT, or LIMIT and OFFSET):");
	assert.equal(
		await headOf(`${ALL} LIMIT 500`, { answer }),
		"2 of 500 rows (truncated: use COUNT, or LIMIT and OFFSET; cut by the query's LIMIT 500):",
	);
});

test("rows of a partial graph are not called complete", async () => {
	assert.equal(await headOf(ALL, { isPartial: true }), "2 rows (not complete):");
	const quads = { kind: "quads", quads: [], truncated: false } as const;
	assert.equal(
		await headOf("DESCRIBE <urn:a>", { answer: quads, isPartial: true }),
		"0 statements (not complete):",
	);
});
