import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../../../src/graph/facts/graph.ts";
import { nameKey, nameWords } from "../../../src/graph/facts/labels.ts";
import { createNameIndex } from "../../../src/graph/facts/nameIndex.ts";
import { editInRounds, graphOf, quadsOf, shortOf } from "../sampleGraph.ts";

const people = `:ada a :Person ; :name "Ada Byron" ; :altLabel "Countess of Lovelace" ; :livesIn "Marylebone" .
:worksFor rdfs:label "works for" . :ada :worksFor :AnalyticalSociety .`;

async function namesOf(graph: Graph) {
	const names = createNameIndex(graph);
	await names.refresh();
	const short = (node: number) => shortOf(graph.termAt(node));
	return {
		names,
		named: (name: string) => names.named(nameKey(nameWords(name))).map(short),
		withWord: (word: string) => [...new Set(names.withWord(word, 10).map(short))],
	};
}

const found: Record<string, string> = {
	"Ada Byron": "ada",
	"ADA  BYRON!": "ada",
	adá_byron: "ada",
	"countess of lovelace": "ada",
	"Analytical Society": "AnalyticalSociety",
	analytical_society: "AnalyticalSociety",
	marylebone: "Marylebone",
};

for (const [name, expected] of Object.entries(found)) {
	test(`“${name}” names ${expected}`, async () => {
		const { named } = await namesOf(graphOf({ "file:///a": people }));
		assert.deepEqual(named(name), [expected]);
	});
}

test("a word of a name leads to it, a word of a value does not", async () => {
	const { withWord } = await namesOf(graphOf({ "file:///a": people }));
	assert.deepEqual(withWord("lovelace"), ["ada"]);
	assert.deepEqual(withWord("marylebone"), []);
});

test("classes and properties are told from things", async () => {
	const graph = graphOf({ "file:///a": people });
	const { names } = await namesOf(graph);
	const kindOf = (name: string) => names.named(nameKey(nameWords(name))).map((node) => names.kindOf(node));
	assert.deepEqual(kindOf("person"), ["class"]);
	assert.deepEqual(kindOf("works for"), ["property"]);
	assert.deepEqual(kindOf("ada"), ["thing"]);
});

test("a name that two documents give is there until both are gone", async () => {
	const graph = graphOf({ "file:///a": people, "file:///b": ':ada :name "Ada Byron" .' });
	const { names, named } = await namesOf(graph);
	graph.remove("file:///a");
	await names.refresh();
	assert.deepEqual([named("Ada Byron"), named("ada"), named("Marylebone")], [["ada"], ["ada"], []]);
	graph.remove("file:///b");
	await names.refresh();
	assert.deepEqual([named("Ada Byron"), named("ada"), names.size], [[], [], 0]);
});

test("a number that another node has taken over names that one only", async () => {
	const graph = graphOf({ "file:///a": ':old :name "Old" .', "file:///b": ':stays :name "Stays" .' });
	const { names, named } = await namesOf(graph);
	graph.replace("file:///a", quadsOf(':fresh :name "Fresh" .'));
	await names.refresh();
	assert.deepEqual([named("old"), named("fresh"), named("stays")], [[], ["fresh"], ["stays"]]);
});

test("after any edits the names are those of an index that is made anew", async () => {
	const graph = graphOf({});
	const { names } = await namesOf(graph);
	await editInRounds(
		graph,
		(round) => `:n${round % 11} :name "Name ${round % 3}" ; :p :n${round % 4}, "v${round % 6}" .`,
		names.refresh,
	);
	const fresh = createNameIndex(graph);
	await fresh.refresh();
	assert.equal(names.size, fresh.size);
	const numbered = Array.from({ length: 11 }, (_, index) => `n${index}`);
	for (const name of ["name0", "name1", "name2", ...numbered, "v1", "v5"])
		assert.deepEqual(new Set(names.named(name)), new Set(fresh.named(name)), name);
});
