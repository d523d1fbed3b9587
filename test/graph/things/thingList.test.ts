import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrefixes } from "../../../src/base/rdf/prefixes.ts";
import type { Graph } from "../../../src/graph/facts/graph.ts";
import { summarizeOntology } from "../../../src/graph/ontology/ontologySummary.ts";
import { prefixesOf } from "../../../src/graph/ontology/ontologyText.ts";
import { createThingList, type ThingList } from "../../../src/graph/things/thingList.ts";
import { graphOf, quadsOf } from "../sampleGraph.ts";

const ALL = { kinds: ["class", "property", "thing"], within: "", limit: 50 } as const;

async function listOf(graph: Graph): Promise<ThingList> {
	const list = createThingList(graph);
	await list.refresh();
	return list;
}

function labelsIn(list: ThingList, words: string): string[] {
	return list.find({ ...ALL, words }).map(({ kind, label }) => `${kind} ${label}`);
}

test("things, classes and properties are found by the beginnings of words of their names, the nearest first", async () => {
	const list = await listOf(
		graphOf({
			"file:///a":
				':ada a :Person ; :name "Ada Byron" ; :worksFor :Society . :ann :name "Ann Adams" . :Person rdfs:label "human being" .',
		}),
	);
	assert.deepEqual(labelsIn(list, "ad"), ["thing Ada Byron", "thing Ann Adams"]);
	assert.deepEqual(labelsIn(list, "for"), ["property worksFor"]);
	assert.deepEqual(labelsIn(list, "person"), ["class human being"]);
	assert.deepEqual(labelsIn(list, "society"), [], "nobody describes it");
	assert.deepEqual(
		list.find({ ...ALL, words: "", limit: 2 }).map(({ label }) => label),
		["name", "type"],
	);
});

test("what one document says of a thing changes it in the list, and so does what it no longer says", async () => {
	const graph = graphOf({ "file:///a": ':x :name "Old" .', "file:///b": ":y a :x ." });
	const list = await listOf(graph);
	assert.deepEqual(labelsIn(list, "old"), ["class Old"]);
	graph.remove("file:///b");
	graph.replace("file:///a", quadsOf(':x :name "New" .'));
	await list.refresh();
	assert.deepEqual([labelsIn(list, "old"), labelsIn(list, "new")], [[], ["thing New"]]);
	graph.clear();
	await list.refresh();
	assert.deepEqual([labelsIn(list, ""), list.namespaces().size], [[], 0]);
});

test("after any edits the list, and the prefixes that follow from it, are those of one that is made anew", async () => {
	const graph = graphOf({});
	const list = createThingList(graph);
	for (let round = 0; round < 60; round++) {
		const document = `file:///${round % 7}`;
		if (round % 5 === 4) graph.remove(document);
		else
			graph.replace(
				document,
				quadsOf(
					`:n${round % 11} :name "Name ${round % 3}" ; a <http://e${round % 3}.org/v#C${round % 4}> ; <http://e.org/p${round % 2}/p> :n${round % 4}, 1.5 . :C${round % 2} a rdfs:Class .`,
				),
			);
		if (round % 3 === 0) await list.refresh();
	}
	await list.refresh();
	const fresh = await listOf(graph);
	assert.deepEqual(list.find({ ...ALL, words: "" }), fresh.find({ ...ALL, words: "" }));
	assert.deepEqual(list.namespaces(), fresh.namespaces());
	const { namespaces } = createPrefixes(list.namespaces());
	assert.deepEqual(namespaces, prefixesOf(summarizeOntology(graph)).namespaces);
});
