import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { createPrefixes } from "../../../src/base/rdf/prefixes.ts";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import { createGraph, type Graph, type Pattern } from "../../../src/graph/facts/graph.ts";
import { findDanglingLinks, nameKey, nameWords, sourcesOf } from "../../../src/graph/facts/labels.ts";
import { createNameIndex } from "../../../src/graph/facts/nameIndex.ts";
import { aliasesOf, sharedIdentifiers } from "../../../src/graph/facts/sameThings.ts";
import { createKnowledgeGraph } from "../../../src/graph/knowledgeGraph.ts";
import { summaryOf } from "../../../src/graph/ontology/ontologySummary.ts";
import { prefixesOf } from "../../../src/graph/ontology/ontologyText.ts";
import type { Sparql } from "../../../src/graph/sparql/sparql.ts";
import { createThingList } from "../../../src/graph/things/thingList.ts";
import { createDice } from "../../support/random.ts";
import { times } from "../../support/times.ts";
import { EVERYTHING, graphOf, iri, quadsOf, shortOf, sparqlOf } from "../sampleGraph.ts";

const people = `:ada :knows :grace, :alan ; :name "Ada" .
:grace :knows :alan ; :name "Grace"@en .`;

const ALL_QUADS =
	"ada knows alan, ada knows grace, ada name Ada, bob knows ada, grace knows alan, grace name Grace";

for (const [name, pattern, expected] of [
	["a subject", { subject: iri("grace") }, "grace knows alan, grace name Grace"],
	["a predicate", { predicate: iri("name").value }, "ada name Ada, grace name Grace"],
	["an object", { object: iri("alan") }, "ada knows alan, grace knows alan"],
	["a subject and an object", { subject: iri("ada"), object: iri("alan") }, "ada knows alan"],
	["a document", { document: "file:///b" }, "bob knows ada"],
	["a document and an object", { document: "file:///b", object: iri("alan") }, ""],
	["an unknown term", { subject: iri("nobody") }, ""],
	["an unknown document", { document: "file:///c" }, ""],
	["nothing", {}, ALL_QUADS],
] as const satisfies readonly (readonly [string, Pattern, string])[])
	test(`a pattern with ${name} finds the matching quads`, () => {
		const graph = graphOf({ "file:///a": people, "file:///b": ":bob :knows :ada ." });
		assert.equal(textsOf(graph.match(pattern)).join(", "), expected);
		assert.equal(graph.count(pattern), expected === "" ? 0 : expected.split(", ").length);
	});

test("a graph returns a quad unchanged, with its lines, its document and its TriG graph", () => {
	const [first, ...others] = quadsOf(`:a :p "x\\ny"@en, "1"^^xsd:int, <http://é.example/> .
_:b :p 1.50 .`);
	assert.ok(first);
	const [document, quads] = ["file:///a", [{ ...first, graph: iri("g") }, ...others]];
	const graph = graphOf({});
	graph.replace(document, quads);
	const found = [...graph.match({ document })];
	// The graph renames blank nodes.
	const named = { ...quads[3], subject: found[3]?.subject };
	assert.deepEqual(
		found,
		Array.from([...quads.slice(0, 3), named], (quad) => ({ ...quad, document })),
	);
});

test("blank nodes with equal labels in two documents are two nodes with stable names", () => {
	const documents = { "file:///a": "_:x :p 1 .", "file:///b": "_:x :p 2 ." };
	const ids = () => Array.from(graphOf(documents).match({}), ({ subject }) => subject.value);
	assert.equal(new Set(ids()).size, 2);
	assert.deepEqual(ids(), ids());
});

test("a subject described in two parts of a document has two sources in that document", () => {
	const graph = graphOf({ "file:///b": ":a :p 1 ;\n :q 2 .\n\n\n\n\n\n:a :p 3 .", "file:///a": ":a :p 1 ." });
	assert.deepEqual(sourcesOf(graph, iri("a")), [
		{ document: "file:///a", lines: { start: 1, end: 1 } },
		{ document: "file:///b", lines: { start: 1, end: 2 } },
		{ document: "file:///b", lines: { start: 8, end: 8 } },
	]);
});

function textsOf(quads: Iterable<Quad>): string[] {
	const terms = Array.from(quads, ({ subject, predicate, object }) => [subject, predicate, object]);
	return terms.map((three) => three.map(shortOf).join(" ")).sort();
}

const persons = `:ada a :Person ; :name "Ada Byron" ; :altLabel "Countess of Lovelace" ; :livesIn "Marylebone" .
:worksFor rdfs:label "works for" . :ada :worksFor :AnalyticalSociety .`;

test("a thing is found by each of its names in any spelling, and by words of a name, but not of a value", async () => {
	const graph = graphOf({ "file:///a": persons });
	const names = createNameIndex(graph);
	await names.refresh();
	const short = (node: number) => shortOf(graph.termAt(node));
	for (const [expected, ...written] of [
		["ada", "Ada Byron", "ADA  BYRON!", "adá_byron", "countess of lovelace"],
		["AnalyticalSociety", "Analytical Society", "analytical_society"],
		["Marylebone", "marylebone"],
	])
		for (const name of written)
			assert.deepEqual(names.named(nameKey(nameWords(name))).map(short), [expected], name);
	assert.deepEqual([...new Set(names.withWord("lovelace", 10).map(short))], ["ada"]);
	assert.deepEqual(names.withWord("marylebone", 10), []);
});

const EX = "http://example.org/";

for (const [name, turtle, dangling] of [
	["a link to an undescribed thing", ":a a :C ; :knows :b .\n:a :knows :c . :b a :C .", "c file:///a 2"],
	["a link to another site", ":a a :C ; :knows <http://other.org/b> .", ""],
	["a link to an undescribed class", ":a a :Undescribed .", ""],
	["a link to a picture or page", ":a a :C ; schema:image :a.png ; :homepage :home .", ""],
	["a link to a file", "<file:///w/a> :cites <file:///w/b> ; :p 1 .", ""],
	["a link to a namespace", ":a a :C ; :uses <http://example.org/> .", ""],
	["a link to a part of its page", "<http://x/p#a> a :C ; :q <http://x/p#b> .", "http://x/p#b file:///a 1"],
	["a link to a part of another page", "<http://x/p#a> a :C ; :knows <http://x/q#b> .", ""],
	["a link to a thing with only a name", ':a :knows :b ; :name "A" . :b :name "B" .', ""],
] as const)
	test(`${name} is ${dangling === "" ? "no dangling link" : "reported as a dangling link"}`, () => {
		const links = findDanglingLinks(graphOf({ "file:///a": turtle }));
		const told = links.map(({ iri, document, lines }) => `${iri.replace(EX, "")} ${document} ${lines.start}`);
		assert.equal(told.join(), dangling);
	});

const SEVEN = 'schema:identifier "7"';
const short = (id: string) => id.replace(/^.*[#/]/, "");

for (const [name, turtle, sharing, aliases] of [
	["owl:sameAs", ":a :p 1 ; owl:sameAs :b . :b :p 2 .", "", "b"],
	["schema:sameAs in a chain", ":b schema:sameAs :a ; :p 1 . :c schema:sameAs :b ; :p 1 .", "", "b c"],
	["a page of two things", ":a schema:sameAs <http://w/X> . :b schema:sameAs <http://w/X> .", "", "b X"],
	["a schema:sameAs page", ":a schema:sameAs <http://w/X> .", "", "X"],
	["an identifier in a class", `:a a :C ; ${SEVEN} . :b a :C, :D ; ${SEVEN} .`, "a b", "b"],
	["an identifier in two classes", `:a a :C ; ${SEVEN} . :b a :D ; ${SEVEN} .`, "", ""],
	["an identifier of thirty things", times(30, (at) => `:n${at} ${SEVEN} .`).join(" "), "", ""],
	["an equal name", ':a :name "X" . :b :name "X" .', "", ""],
	["owl:sameAs with itself", ":a owl:sameAs :a .", "", ""],
] as const)
	test(`${name} gives the aliases “${aliases}”, and “${sharing}” share an identifier`, () => {
		const graph = graphOf({ "file:///a": turtle });
		const pairs = sharedIdentifiers(graph).map((pair) => pair.map(({ subject }) => short(subject.value)));
		assert.equal(pairs.map((pair) => pair.join(" ")).join(), sharing);
		assert.equal(aliasesOf(graph, `${EX}a`).map(short).join(" "), aliases);
	});

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

test("constructed statements have the lines of the documents that state them", async () => {
	const { answer } = await knowledge.query({ sparql: "CONSTRUCT WHERE { ?s example:knows ?o }" }, never);
	assert.deepEqual(answer.kind === "quads" && answer.quads.map(({ lines }) => lines), [{ start: 2, end: 2 }]);
});

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

for (let seed = 1; seed <= 5; seed++)
	test(`after ${EDITS} random edits with seed ${seed}, a graph and its indexes answer like new ones`, async (t) => {
		const dice = createDice(seed);
		const edited = openGraph(t);
		const followers = followersOf(edited.graph);
		const documents = new Map<string, Quad[]>();
		for (let edit = 0; edit < EDITS; edit++) {
			changeOne(edited.graph, documents, dice);
			if (dice(3) === 0) await Promise.all([rowsOf(edited.sparql), followers.refresh()]);
		}
		const fresh = openGraph(t);
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

function openGraph(t: TestContext) {
	const graph = createGraph();
	const sparql = sparqlOf(graph);
	t.after(() => sparql.close());
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
	const results = queries.map((query) => sparql.query(query, {}, never));
	return (await Promise.all(results)).map((result) =>
		result.kind === "rows" ? result.rows.map((row) => JSON.stringify(row)).sort() : [],
	);
}
