import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createPrefixes } from "../../src/base/rdf/prefixes.ts";
import type { Quad } from "../../src/core/knowledge/rdf.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { createNameIndex } from "../../src/graph/facts/nameIndex.ts";
import { summaryOf } from "../../src/graph/ontology/ontologySummary.ts";
import { prefixesOf } from "../../src/graph/ontology/ontologyText.ts";
import type { Sparql } from "../../src/graph/sparql/sparql.ts";
import { createThingList } from "../../src/graph/things/thingList.ts";
import { createDice } from "../support/random.ts";
import { EVERYTHING, quadsOf, sparqlOf } from "./sampleGraph.ts";

const EDITS = 20;

/** Statements that are easily confused: equal in value or name, or with equal labels of blank nodes. */
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
	':a :name "Name 1" ; a <http://e1.org/v#C1> . :c <http://e.org/p1/p> :a .',
	':a :name "Name 2" . :b :name "Name 1" ; a <http://e2.org/v#C2> .',
	':c :name "Name 1", "Name 3" ; :p :a, "v1" . :C1 a rdfs:Class .',
];

const open = new Set<Sparql>();
after(() => Promise.all([...open].map((sparql) => sparql.close())));

for (let seed = 1; seed <= 5; seed++)
	test(`after ${EDITS} random edits with seed ${seed}, a graph and its indexes answer like new ones`, async () => {
		const dice = createDice(seed);
		const edited = openGraph();
		const followers = followersOf(edited.graph);
		const documents = new Map<string, Quad[]>();
		for (let edit = 0; edit < EDITS; edit++) {
			changeOne(edited.graph, documents, dice);
			if (dice(3) === 0) await Promise.all([rowsOf(edited.sparql), followers.refresh()]);
		}
		const fresh = openGraph();
		for (const [uri, quads] of documents) fresh.graph.replace(uri, quads);
		assert.deepEqual(contentOf(edited.graph), contentOf(fresh.graph));
		assert.deepEqual(await rowsOf(edited.sparql), await rowsOf(fresh.sparql));
		for (const { subject, predicate, object } of fresh.graph.match({})) {
			const pattern = { subject, predicate: predicate.value, object };
			assert.equal(edited.graph.count(pattern), fresh.graph.count(pattern));
		}
		const anew = followersOf(edited.graph);
		await Promise.all([followers.refresh(), anew.refresh()]);
		assert.deepEqual(followers.told(), anew.told());
		const { namespaces } = createPrefixes(followers.list.namespaces());
		assert.deepEqual(namespaces, prefixesOf(summaryOf(edited.graph)).namespaces);
	});

function openGraph() {
	const graph = createGraph();
	const sparql = sparqlOf(graph);
	open.add(sparql);
	return { graph, sparql };
}

/** The indexes that are kept in step with a graph. */
function followersOf(graph: Graph) {
	const [names, list] = [createNameIndex(graph), createThingList(graph)];
	const keys = ["name1", "name2", "name3", "a", "b", "c", "v1", "ünicode"];
	return {
		list,
		refresh: () => Promise.all([names.refresh(), list.refresh()]),
		told: () => ({
			named: [names.size, ...keys.map((key) => names.named(key).toSorted())],
			things: list.find({ ...EVERYTHING, words: "" }),
			namespaces: list.namespaces(),
		}),
	};
}

function changeOne(graph: Graph, documents: Map<string, Quad[]>, dice: (limit: number) => number): void {
	const uri = `file:///${dice(4)}`;
	if (dice(4) === 0) {
		graph.remove(uri);
		documents.delete(uri);
		return;
	}
	const quads = quadsOf(STATEMENTS.filter(() => dice(3) === 0).join("\n"));
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
