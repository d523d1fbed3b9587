import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import type { Pattern } from "../../../src/graph/facts/graph.ts";
import { sourcesOf } from "../../../src/graph/facts/labels.ts";
import { graphOf, iri, quadsOf, shortOf } from "../sampleGraph.ts";

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
	test(`a pattern with ${name} finds what matches it`, () => {
		const graph = graphOf({ "file:///a": people, "file:///b": ":bob :knows :ada ." });
		assert.equal(textsOf(graph.match(pattern)).join(", "), expected);
		assert.equal(graph.count(pattern), expected === "" ? 0 : expected.split(", ").length);
	});

test("a quad comes back as it was, with its lines and its document", () => {
	const quads = quadsOf(`:a :p "x\\ny"@en, "1"^^xsd:int, <http://é.example/> .
_:b :p 1.50 .`);
	const graph = graphOf({});
	graph.replace("file:///a", quads);
	const [text, number, link, blank] = [...graph.match({ document: "file:///a" })];
	assert.deepEqual(
		[text, number, link],
		quads.slice(0, 3).map((quad) => ({ ...quad, document: "file:///a" })),
	);
	assert.deepEqual(blank?.object, quads[3]?.object);
	assert.deepEqual(blank?.lines, { start: 2, end: 2 });
});

test("blank nodes with one label are two nodes in two documents, and keep their names", () => {
	const documents = { "file:///a": "_:x :p 1 .", "file:///b": "_:x :p 2 ." };
	const ids = () => [...graphOf(documents).match({})].map(({ subject }) => subject.value);
	assert.equal(new Set(ids()).size, 2);
	assert.deepEqual(ids(), ids());
});

test("replacing a document removes exactly what it said", () => {
	const graph = graphOf({ "file:///a": ":x :p 1, 2 .", "file:///b": ":x :p 2 ." });
	graph.replace("file:///a", quadsOf(":x :p 3 ."));
	assert.deepEqual(textsOf(graph.match({})), ["x p 2", "x p 3"]);
});

test("what no document says any more is forgotten", () => {
	const graph = graphOf({ "file:///a": people });
	graph.remove("file:///a");
	assert.equal(graph.size, 0);
	assert.equal(graph.numberOf(iri("ada")), 0);
	assert.deepEqual([...graph.documents()], []);
});

test("the graph of a TriG document stays with its quads", () => {
	const graph = graphOf({});
	const [quad] = quadsOf(":a :p :b .");
	assert.ok(quad);
	graph.replace("file:///a", [{ ...quad, graph: iri("g") }]);
	assert.deepEqual(
		[...graph.match({})].map((found) => found.graph),
		[iri("g")],
	);
});

test("a subject that a document describes in two places has two sources", () => {
	const graph = graphOf({ "file:///b": ":a :p 1 ;\n :q 2 .\n\n\n\n\n\n:a :p 3 .", "file:///a": ":a :p 1 ." });
	assert.deepEqual(sourcesOf(graph, iri("a")), [
		{ document: "file:///a", lines: { start: 1, end: 1 } },
		{ document: "file:///b", lines: { start: 1, end: 2 } },
		{ document: "file:///b", lines: { start: 8, end: 8 } },
	]);
});

function textsOf(quads: Iterable<Quad>): string[] {
	return Array.from(quads, ({ subject, predicate, object }) =>
		[subject, predicate, object].map(shortOf).join(" "),
	).sort();
}
