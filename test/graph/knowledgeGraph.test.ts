import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createKnowledgeGraph } from "../../src/graph/knowledgeGraph.ts";
import { graphOf, iri, quadsOf, sparqlOf } from "./sampleGraph.ts";

const graph = graphOf({
	"file:///w/a.ttl": ':ada a :Person ;\n :name "Ada" ; :knows :grace .\n:grace a :Person .',
});
const sparql = sparqlOf(graph);
after(() => sparql.close());
const knowledge = createKnowledgeGraph({
	graph,
	sparql,
	cite: (uri, lines) => ({ path: uri.replace("file:///w/", ""), lines }),
	declared: () => new Map([["ours", "http://example.org/"]]),
});
const never = new AbortController().signal;

test("a prefix that a document declares needs no declaration in a query", async () => {
	const { answer } = await knowledge.query({ sparql: "ASK { ?s a ours:Person }" }, never);
	assert.deepEqual(answer, { kind: "boolean", value: true });
	await assert.rejects(
		knowledge.query({ sparql: "ASK { ?s a theirs:Person }" }, never),
		/theirs: is not declared/,
	);
});

test("an answer has its rows by variable and the lines that describe their resources", async () => {
	const query =
		"SELECT ?who ?name { ?who a example:Person OPTIONAL { ?who example:name ?name } } ORDER BY ?who";
	const { answer, sources } = await knowledge.query({ sparql: query }, never);
	assert.deepEqual(answer, {
		kind: "rows",
		variables: ["who", "name"],
		rows: [
			{
				who: iri("ada"),
				name: { termType: "Literal", value: "Ada", datatype: "http://www.w3.org/2001/XMLSchema#string" },
			},
			{ who: iri("grace") },
		],
		total: 2,
		truncated: false,
	});
	assert.deepEqual(sources, [
		{ path: "a.ttl", lines: { start: 1, end: 2 } },
		{ path: "a.ttl", lines: { start: 3, end: 3 } },
	]);
});

test("constructed statements have the lines of the documents that make them", async () => {
	const { answer } = await knowledge.query({ sparql: "CONSTRUCT WHERE { ?s example:knows ?o }" }, never);
	assert.deepEqual(answer.kind === "quads" && answer.quads.map(({ lines }) => lines), [{ start: 2, end: 2 }]);
});

test("the ontology follows the documents", async () => {
	assert.doesNotMatch(await knowledge.ontology({}, never), /example:City/);
	graph.replace("file:///w/b.ttl", quadsOf(":london a :City ."));
	assert.match(await knowledge.ontology({}, never), /example:City \(1\)/);
});
