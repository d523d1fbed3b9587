import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOf } from "../../src/graph/ontology/ontologySummary.ts";
import { describeOntology } from "../../src/graph/ontology/ontologyText.ts";
import { checkQuery, usedTerms } from "../../src/graph/ontology/queryCheck.ts";
import { neighboursOf, overviewOf, pathBetween } from "../../src/graph/things/neighbourhood.ts";
import { createThingList } from "../../src/graph/things/thingList.ts";
import { pointersTo, viewThing } from "../../src/graph/things/thingView.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { times } from "../support/times.ts";
import { EVERYTHING, graphOf } from "./sampleGraph.ts";

const company = `:ada a :Person ; :name "Ada Byron" ; :worksFor :acme ; :knows :grace, _:x .
:grace a :Person ; :name "Grace" ; :worksFor :acme .
:acme a :Organization ; :name "Acme" .
:Organization rdfs:label "Company" .
_:x a :Person .`;

function describe(documents: Readonly<Record<string, string>>, budgetTokens: number, focus = "") {
	return describeOntology(summaryOf(graphOf(documents)), { budgetTokens, focus });
}

test("an ontology describes the classes, properties, ranges, counts and examples in use", () => {
	assert.equal(
		describe({ "file:///a": company }, 1000),
		`5 resources, 12 statements, 2 classes, 4 properties. Counts are resources.
PREFIX example: <http://example.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>

example:Person (3), e.g. <http://example.org/ada>
  example:name (2): text, e.g. "Ada Byron"
  example:worksFor (2): example:Organization
  example:knows (1): example:Person
example:Organization "Company" (1), e.g. <http://example.org/acme>
  example:name (1): text, e.g. "Acme"
Without a class (1)
  rdfs:label (1): text, e.g. "Company"`,
	);
});

test("the description of an ontology stays within its budget and reports omissions", () => {
	const classes = times(60, (number) => {
		const properties = times(8, (at) => `:p${number}_${at} "value"`).join(" ; ");
		return `:r${number} a :Class${number} ; ${properties} .`;
	});
	for (const budgetTokens of [100, 200, 400, 1000, 2000]) {
		const text = describe({ "file:///a": classes.join("\n") }, budgetTokens);
		assert.ok(text.length <= budgetTokens * 4, `${text.length} characters for ${budgetTokens} tokens`);
		const shown = new Set(text.match(/example:Class\d+/g)).size;
		assert.equal(/more classes left out/.test(text), shown < 60);
		assert.match(text, /left out|Other classes/);
	}
});

test("an ontology describes classes that a question mentions in full, and other classes by name", () => {
	const text = describe({ "file:///a": company }, 75, "Which companies are there?");
	assert.match(text, /example:Organization "Company" \(1\).*\n {2}example:name/);
	assert.match(text, /Other classes: example:Person \(3\)/);
});

test("an ontology describes SHACL shapes after its classes", () => {
	const shape = `:PersonShape a sh:NodeShape ; sh:targetClass :Person ;
 sh:property [ sh:path :name ; sh:minCount 1 ; sh:datatype xsd:string ] .`;
	const text = describe({ "file:///a": company, "file:///shapes": shape }, 2000);
	const described = /\nexample:PersonShape for example:Person: example:name minCount 1 datatype xsd:string$/;
	assert.match(text, described);
});

const { known } = summaryOf(
	graphOf({
		"file:///a": `:ada a :Person, schema:Drug ; :worksFor :acme ; :birthDate "1815" .
:acme a :Organization ; :legalName "Acme" . :unused a rdfs:Class . :later a owl:ObjectProperty .`,
	}),
);

const PREFIXES = "PREFIX : <http://example.org/> PREFIX schema: <http://schema.org/> ";

test("a query check reports unknown classes and properties, each with the three most similar known terms", () => {
	for (const [where, ...expected] of [
		["?x a :Person ; :worksFor ?y . ?y a :unused ; :later [] ."],
		["?x a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* :Person"],
		["?x :workFor ?y", ":workFor :worksFor"],
		["?x a :Persons, :Organisation", ":Persons :Person", ":Organisation :Organization"],
		["?x a schema:Drug", "http://schema.org/Drug https://schema.org/Drug"],
	] as const) {
		const unknown = checkQuery(`${PREFIXES}SELECT * WHERE { ${where} }`, known);
		const told = unknown.map(({ iri, nearest }) => `${iri} ${nearest[0]}`);
		assertMapped(told, (words) => words.replaceAll("http://example.org/", ":"), expected);
		assert.ok(unknown.every(({ nearest }) => nearest.length === 3));
	}
	// A class is not a property, and vice versa.
	const swapped = checkQuery(`${PREFIXES}SELECT * { ?x :Person ?y ; a :worksFor }`, known);
	assertMapped(swapped, ({ iri }) => iri.slice(-8), ["worksFor", "g/Person"]);
});

test("the classes and properties of a query are those in its patterns", () => {
	const { classes, properties } = usedTerms(`PREFIX : <http://e/> SELECT (COUNT(?x) AS ?n) FROM :from {
		?x a :A, :B ; :a/:b* [ :c "x"^^:no ; ^:d ?y ] . :no !(:e|^:f) ( :no 1 [ :g "a:no"@en ] )
		OPTIONAL { ?x (a|:h)/:i? :C } FILTER NOT EXISTS { ?x :j -1 , true }
		FILTER(?a < :no && EXISTS { ?x a :D } && :no(?x)) BIND(:no AS ?g)
		VALUES (?a ?b) { (:no "k") (UNDEF 2) } GRAPH :no { ?m :k ?o } # :no :no :no
		{ SELECT ?a (SUM(?c) AS ?d) { ?a :l ?c } GROUP BY ?a HAVING (SUM(?c) > 3) ORDER BY DESC(?a) }
		UNION { [] :m :no } MINUS { ?x a/:n :E . }
	} GROUP BY ?x ORDER BY :no(?x) LIMIT 3`);
	const local = (iris: ReadonlySet<string>) => [...iris].map((iri) => iri.replace(/^.*[#/]/, "")).sort();
	assert.deepEqual(local(classes), [..."ABCDE"]);
	assert.deepEqual(local(properties), [..."abcdefghijklmn", "type"]);
});

test("the terms of a query exclude its CONSTRUCT template, and an unfinished query has terms, too", () => {
	const query = "PREFIX : <http://e/> CONSTRUCT { ?s a :Made ; :made ?o } WHERE { ?s :real ?o }";
	assert.deepEqual(usedTerms(query), { classes: new Set(), properties: new Set(["http://e/real"]) });
	for (const end of ["?s ((( ?x", "[ [ (", "?s :p ", "FILTER", "VALUES ?x", "GRAPH", "; , . ) ]"])
		assert.ok(usedTerms(`PREFIX : <http://e/> SELECT * { ${end}`));
});

test("things, classes and properties are found by the first letters of words in their names, the best first", async () => {
	const persons = `:ada a :Person ; :name "Ada Byron" ; :worksFor :Society .
:ann :name "Ann Adams" . :Person rdfs:label "human being" .`;
	const list = createThingList(graphOf({ "file:///a": persons }));
	await list.refresh();
	for (const [words, ...found] of [
		["ad", "thing Ada Byron", "thing Ann Adams"],
		["for", "property worksFor"],
		["person", "class human being"],
		// No statement describes the society.
		["society"],
	] as const)
		assertMapped(list.find({ ...EVERYTHING, words }), ({ kind, label }) => `${kind} ${label}`, found);
	assertMapped(list.find({ ...EVERYTHING, words: "", limit: 2 }), ({ label }) => label, ["name", "type"]);
});

const EX = "http://example.org/";

function drawn({ things, links, left }: ReturnType<typeof overviewOf>) {
	const short = (id: string) => id.replace(EX, "");
	const drawnLinks = links.map(({ from, to }) => `${short(from)} ${short(to)}`).sort();
	return { things: things.map(({ id }) => short(id)).sort(), links: drawnLinks, left };
}

test("the neighbours of a thing exclude shown things, but include links to shown things", () => {
	const graph = graphOf({ "file:///a": ":a :knows :b . :b :knows :c ; a :P . :d :q :c . :c :knows :a ." });
	const first = neighboursOf(graph, { iris: [`${EX}a`] });
	assert.deepEqual(drawn(first), { things: ["a", "b", "c"], links: ["a b", "b c", "c a"], left: 0 });
	const shown = [`${EX}a`, `${EX}b`];
	const more = neighboursOf(graph, { iris: [`${EX}c`], shown });
	assert.deepEqual(drawn(more), { things: ["c", "d"], links: ["b c", "c a", "d c"], left: 0 });
	const way = pathBetween(graph, { from: `${EX}d`, to: `${EX}a` });
	assert.deepEqual(drawn(way), { things: ["a", "c", "d"], links: ["c a", "d c"], left: 0 });
});

test("an overview has the things with the most links, and counts other things", () => {
	const graph = graphOf({ "file:///a": ':hub :knows :b, :c . :b :knows :c . :alone :name "Alone" ; a :P .' });
	const most = { things: ["b", "c", "hub"], links: ["b c", "hub b", "hub c"], left: 1 };
	assert.deepEqual(drawn(overviewOf(graph, 3)), most);
	assert.deepEqual(drawn(overviewOf(graph, 9)).things, ["alone", "b", "c", "hub"]);
});

test("a thing with 20,000 links is drawn with 600 links, and viewed with the number of links", () => {
	const many = times(20_000, (at) => `:s${at} :t :hub . :hub :from :s${at} .`).join("\n");
	const graph = graphOf({ "file:///a": `:hub :name "Hub" .\n${many}` });
	const { things, links, left } = neighboursOf(graph, { iris: [`${EX}hub`] });
	assert.deepEqual([things.length, links.length], [301, 600]);
	assert.ok(left > 0);
	const view = viewThing(graph, `${EX}hub`);
	assert.deepEqual([view?.label, view?.pointers, view?.properties[0]?.total], ["Hub", 20_000, 20_000]);
	assert.equal(pointersTo(graph, `${EX}hub`).length, 10_000);
});

test("aliases in a circle are listed once each, and labels are shortened, with invisible characters named", () => {
	const circle = ":a owl:sameAs :b . :b owl:sameAs :c . :c owl:sameAs :a, :c .";
	const labels = `:d :name "${"long ".repeat(4000)}" . :e :name "\\u202Egpj.exe" .`;
	const graph = graphOf({ "file:///a": circle + labels });
	const [a, d, e] = ["a", "d", "e"].map((name) => viewThing(graph, EX + name));
	assert.deepEqual(a?.aliases.toSorted(), [`${EX}b`, `${EX}c`]);
	assert.equal(pathBetween(graph, { from: `${EX}a`, to: `${EX}c` }).things.length, 2);
	assert.ok(d && d.label.length <= 201);
	assert.equal(e?.label, "⟨U+202E⟩gpj.exe");
});
