import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOf } from "../../../src/graph/ontology/ontologySummary.ts";
import { checkQuery } from "../../../src/graph/ontology/queryCheck.ts";
import { usedTerms } from "../../../src/graph/sparql/sparqlTerms.ts";
import { graphOf } from "../sampleGraph.ts";

const summary = summaryOf(
	graphOf({
		"file:///a": `:ada a :Person, schema:Drug ; :worksFor :acme ; :birthDate "1815" .
:acme a :Organization ; :legalName "Acme" . :unused a rdfs:Class . :later a owl:ObjectProperty .`,
	}),
);

function check(where: string): Record<string, string[]> {
	const query = `PREFIX : <http://example.org/> PREFIX schema: <http://schema.org/> SELECT * WHERE { ${where} }`;
	const unknown = checkQuery(query, summary);
	return Object.fromEntries(unknown.map(({ iri, nearest }) => [iri, [...nearest]]));
}

test("a query of known terms has nothing unknown", () => {
	assert.deepEqual(check("?x a :Person ; :worksFor ?y . ?y a :unused ; :later [] ."), {});
});

for (const [what, where, unknown, nearest] of [
	["property", "?x :workFor ?y", ":workFor", ":worksFor"],
	["class", "?x a :Persons, :Organisation", ":Persons", ":Person"],
	["class in another spelling", "?x a :Persons, :Organisation", ":Organisation", ":Organization"],
	["namespace", "?x a schema:Drug", "http://schema.org/Drug", "https://schema.org/Drug"],
] as const)
	test(`an unknown ${what} goes with the three nearest known ones: ${unknown}`, () => {
		const full = (name: string) => name.replace(/^:/, "http://example.org/");
		const found = check(where)[full(unknown)];
		assert.deepEqual([found?.[0], found?.length], [full(nearest), 3]);
	});

test("a class is no property and a property is no class", () => {
	assert.deepEqual(Object.keys(check("?x :Person ?y ; a :worksFor")), [
		"http://example.org/worksFor",
		"http://example.org/Person",
	]);
});

test("the vocabulary of RDF itself may be asked for in vain", () => {
	assert.deepEqual(check("?x a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* :Person"), {});
});

test("terms are found in every part of a query, and nowhere else", () => {
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

test("what CONSTRUCT makes up need not be known", () => {
	const query = "PREFIX : <http://e/> CONSTRUCT { ?s a :Made ; :made ?o } WHERE { ?s :real ?o }";
	assert.deepEqual([...usedTerms(query).properties], ["http://e/real"]);
	assert.deepEqual([...usedTerms(query).classes], []);
});

test("an unfinished query does no harm", () => {
	const ends = ["?s", "?s ((( ?x", "[ [ (", "?s :p ", "FILTER", "VALUES ?x", "GRAPH", "; , . ) ]"];
	for (const end of ends) assert.ok(usedTerms(`PREFIX : <http://e/> SELECT * { ${end}`));
});
