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
