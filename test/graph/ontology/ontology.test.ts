import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOf } from "../../../src/graph/ontology/ontologySummary.ts";
import { describeOntology } from "../../../src/graph/ontology/ontologyText.ts";
import { checkQuery, usedTerms } from "../../../src/graph/ontology/queryCheck.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { graphOf } from "../sampleGraph.ts";

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
	assert.match(
		text,
		/\nexample:PersonShape for example:Person: example:name minCount 1 datatype xsd:string$/,
	);
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
