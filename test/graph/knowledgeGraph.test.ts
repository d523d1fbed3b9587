import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createKnowledgeGraph } from "../../src/graph/knowledgeGraph.ts";
import { graphOf, quadsOf, sparqlOf } from "./sampleGraph.ts";

const graph = graphOf({ "file:///w/a.ttl": ':ada a :Person;\n:name "A"; :knows :grace.\n:grace a :Person.' });
const sparql = sparqlOf(graph);
after(() => sparql.close());
const knowledge = createKnowledgeGraph({
	graph,
	sparql,
	cite: (uri, lines) => ({ path: uri.replace("file:///w/", ""), lines }),
	declared: () => new Map(),
});
const never = new AbortController().signal;

test("constructed statements have the lines of the documents that make them", async () => {
	const { answer } = await knowledge.query({ sparql: "CONSTRUCT WHERE { ?s example:knows ?o }" }, never);
	assert.deepEqual(answer.kind === "quads" && answer.quads.map(({ lines }) => lines), [{ start: 2, end: 2 }]);
});

test("the ontology follows the documents", async () => {
	assert.doesNotMatch(await knowledge.ontology({}, never), /example:City/);
	graph.replace("file:///w/b.ttl", quadsOf(":london a :City ."));
	assert.match(await knowledge.ontology({}, never), /example:City \(1\)/);
});
