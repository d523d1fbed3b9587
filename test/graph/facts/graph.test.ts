import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import type { Pattern } from "../../../src/graph/facts/graph.ts";
import { findDanglingLinks, nameKey, nameWords, sourcesOf } from "../../../src/graph/facts/labels.ts";
import { createNameIndex } from "../../../src/graph/facts/nameIndex.ts";
import { aliasesOf, sharedIdentifiers } from "../../../src/graph/facts/sameThings.ts";
import { createKnowledgeGraph } from "../../../src/graph/knowledgeGraph.ts";
import { times } from "../../support/times.ts";
import { graphOf, iri, quadsOf, shortOf, sparqlOf } from "../sampleGraph.ts";

const people = `:ada :knows :grace, :alan ; :name "Ada" .
:grace :knows :alan ; :name "Grace"@en .`;

const EVERYTHING =
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
	["nothing", {}, EVERYTHING],
] as const satisfies readonly (readonly [string, Pattern, string])[])
	test(`a pattern with ${name} finds the matching quads`, () => {
		const graph = graphOf({ "file:///a": people, "file:///b": ":bob :knows :ada ." });
		assert.equal(textsOf(graph.match(pattern)).join(", "), expected);
		assert.equal(graph.count(pattern), expected === "" ? 0 : expected.split(", ").length);
	});

test("a quad is returned unchanged, with its lines, its document and its TriG graph", () => {
	const [first, ...others] = quadsOf(`:a :p "x\\ny"@en, "1"^^xsd:int, <http://é.example/> .
_:b :p 1.50 .`);
	assert.ok(first);
	const quads = [{ ...first, graph: iri("g") }, ...others];
	const graph = graphOf({});
	graph.replace("file:///a", quads);
	const [text, one, link, blank] = [...graph.match({ document: "file:///a" })];
	const stated = quads.slice(0, 3).map((quad) => ({ ...quad, document: "file:///a" }));
	assert.deepEqual([text, one, link], stated);
	assert.deepEqual(blank?.object, quads[3]?.object);
	assert.deepEqual(blank?.lines, { start: 2, end: 2 });
});

test("blank nodes with one label in two documents are two nodes with stable names", () => {
	const documents = { "file:///a": "_:x :p 1 .", "file:///b": "_:x :p 2 ." };
	const ids = () => [...graphOf(documents).match({})].map(({ subject }) => subject.value);
	assert.equal(new Set(ids()).size, 2);
	assert.deepEqual(ids(), ids());
});

test("a subject described in two places of a document has two sources there", () => {
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

test("a thing is found by each of its names in any spelling, and by a word of a name, but not of a value", async () => {
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
	["a link to nothing among others", ":a a :C ; :knows :b .\n:a :knows :c . :b a :C .", "c file:///a 2"],
	["a link to another site", ":a a :C ; :knows <http://other.org/b> .", ""],
	["a class that is not described", ":a a :Undescribed .", ""],
	["a picture and a page", ":a a :C ; schema:image :a.png ; :homepage :home .", ""],
	["a file", "<file:///w/a> :cites <file:///w/b> ; :p 1 .", ""],
	["a namespace", ":a a :C ; :uses <http://example.org/> .", ""],
	["a part of the same page", "<http://x/p#a> a :C ; :knows <http://x/p#b> .", "http://x/p#b file:///a 1"],
	["a part of another page", "<http://x/p#a> a :C ; :knows <http://x/q#b> .", ""],
	["a thing that has only a name", ':a :knows :b ; :name "A" . :b :name "B" .', ""],
] as const)
	test(`${name} is ${dangling === "" ? "not dangling" : "dangling"}`, () => {
		const links = findDanglingLinks(graphOf({ "file:///a": turtle }));
		const told = links.map(({ iri, document, lines }) => `${iri.replace(EX, "")} ${document} ${lines.start}`);
		assert.equal(told.join(), dangling);
	});

const short = (id: string) => id.replace(/^.*[#/]/, "");

for (const [name, turtle, sharing, aliases] of [
	["owl:sameAs", ":a :p 1 ; owl:sameAs :b . :b :p 2 .", "", "b"],
	["schema:sameAs in a chain", ":b schema:sameAs :a ; :p 1 . :c schema:sameAs :b ; :p 1 .", "", "b c"],
	["a page of two", ":a schema:sameAs <http://w/X> . :b schema:sameAs <http://w/X> .", "", "b X"],
	["a page that one is the same as", ":a schema:sameAs <http://w/X> .", "", "X"],
	["ids of one class", ':a a :C ; schema:identifier "7" . :b a :C, :D ; schema:identifier "7" .', "a b", "b"],
	["equal ids of two classes", ':a a :C ; schema:identifier "7" . :b a :D ; schema:identifier "7" .', "", ""],
	["an identifier of very many", times(30, (at) => `:n${at} schema:identifier "x" .`).join(" "), "", ""],
	["an equal name", ':a :name "X" . :b :name "X" .', "", ""],
	["itself", ":a owl:sameAs :a .", "", ""],
] as const)
	test(`${name}: the aliases are “${aliases}”, and “${sharing}” share an identifier`, () => {
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

test("constructed statements have the lines of the documents that contain them", async () => {
	const { answer } = await knowledge.query({ sparql: "CONSTRUCT WHERE { ?s example:knows ?o }" }, never);
	assert.deepEqual(answer.kind === "quads" && answer.quads.map(({ lines }) => lines), [{ start: 2, end: 2 }]);
});
