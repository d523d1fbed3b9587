import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Quad } from "../../src/core/knowledge/rdf.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import type { Sparql } from "../../src/graph/sparql/sparql.ts";
import { createDice } from "../support/random.ts";
import { quadsOf, sparqlOf } from "./sampleGraph.ts";

const SEQUENCES = 5;
const EDITS = 20;

/** Statements that are easily confused: shared by documents, equal by value, with blank nodes of one label. */
const STATEMENTS = [
	":a :p 1, 01, 1.0, 1.00 .",
	":a :p 01 .",
	':a :p "1"^^xsd:int, "+1"^^xsd:integer .',
	":a :p true . :b :p 1 .",
	':a :p "1"^^xsd:boolean .',
	':a :q "text", "text"@en, "text"@de .',
	':a :q "2020-01-01T00:00:00Z"^^xsd:dateTime .',
	':a :q "2020-01-01T00:00:00+00:00"^^xsd:dateTime .',
	":a :r _:x . _:x :q 1 ; :r _:y . _:y :r _:x .",
	":b :r _:x . _:x :q 2 .",
	"_:x :q 1 . _:z :q 1 .",
	":a a :Class . :b a :Class .",
	':a :q "quotes \\" and \\\\ and \\n lines", "<tag>", "\\u0001" .',
	"<http://example.org/sp%20ace> :p <http://example.org/ünicode> .",
];

const open = new Set<Sparql>();
after(() => Promise.all([...open].map((sparql) => sparql.close())));

for (let seed = 1; seed <= SEQUENCES; seed++) {
	test(`after ${EDITS} random edits a graph answers like a fresh one (sequence ${seed})`, async () => {
		const dice = createDice(seed);
		const random = () => dice(2 ** 32) / 2 ** 32;
		const edited = openGraph();
		const documents = new Map<string, Quad[]>();
		for (let edit = 0; edit < EDITS; edit++) {
			changeOne(edited.graph, documents, random);
			if (random() < 0.3) await rowsOf(edited.sparql);
		}
		const fresh = openGraph();
		for (const [uri, quads] of documents) fresh.graph.replace(uri, quads);
		assert.deepEqual(contentOf(edited.graph), contentOf(fresh.graph));
		assert.deepEqual(await rowsOf(edited.sparql), await rowsOf(fresh.sparql));
		for (const { subject, predicate, object } of fresh.graph.match({})) {
			const pattern = { subject, predicate: predicate.value, object };
			assert.equal(edited.graph.count(pattern), fresh.graph.count(pattern));
		}
	});
}

function openGraph(): { graph: Graph; sparql: Sparql } {
	const graph = createGraph();
	const sparql = sparqlOf(graph);
	open.add(sparql);
	return { graph, sparql };
}

function changeOne(graph: Graph, documents: Map<string, Quad[]>, random: () => number): void {
	const uri = `file:///${Math.floor(random() * 4)}`;
	if (random() < 0.25) {
		graph.remove(uri);
		documents.delete(uri);
		return;
	}
	const quads = quadsOf(STATEMENTS.filter(() => random() < 0.3).join("\n"));
	graph.replace(uri, quads);
	documents.set(uri, quads);
}

function contentOf(graph: Graph): string[] {
	return [...graph.match({})].map((quad) => JSON.stringify(quad)).sort();
}

async function rowsOf(sparql: Sparql): Promise<string[][]> {
	const queries = ["SELECT ?s ?p ?o { ?s ?p ?o }", "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }"];
	const results = queries.map((query) => sparql.query(query, {}, new AbortController().signal));
	return (await Promise.all(results)).map((result) =>
		result.kind === "rows" ? result.rows.map((row) => JSON.stringify(row)).sort() : [],
	);
}
