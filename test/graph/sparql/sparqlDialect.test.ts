import assert from "node:assert/strict";
import { test } from "node:test";
import { declarePrefixes } from "../../../src/base/rdf/sparqlNames.ts";
import { limitSolutions, replaceCasts } from "../../../src/graph/sparql/sparqlRequest.ts";

const limited: Record<string, string> = {
	"SELECT * { ?s ?p ?o }": "SELECT * { ?s ?p ?o } LIMIT 9",
	"SELECT * { ?s ?p ?o } # LIMIT 3": "SELECT * { ?s ?p ?o } LIMIT 9 # LIMIT 3",
	"SELECT * { ?s ?p ?o } LIMIT 3": "SELECT * { ?s ?p ?o } LIMIT 3",
	"SELECT * { ?s ?p ?o } limit 300 OFFSET 5": "SELECT * { ?s ?p ?o } limit 9 OFFSET 5",
	"SELECT * { { SELECT * { ?s ?p ?o } LIMIT 3 } } OFFSET 5":
		"SELECT * { { SELECT * { ?s ?p ?o } LIMIT 3 } } OFFSET 5 LIMIT 9",
	"SELECT * { ?s ?p 'LIMIT 3' } ORDER BY ?s VALUES ?s { 1 }":
		"SELECT * { ?s ?p 'LIMIT 3' } ORDER BY ?s LIMIT 9 VALUES ?s { 1 }",
	"SELECT * { VALUES ?s { 1 } }": "SELECT * { VALUES ?s { 1 } } LIMIT 9",
};

for (const [query, expected] of Object.entries(limited)) {
	test(`${query} gets its limit in the right place`, () => {
		assert.equal(limitSolutions(query, 9).replace(/\s+/g, " ").trim(), expected);
	});
}

test("casts to whole numbers become casts to integers, and nothing else does", () => {
	const query =
		'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT (xsd:int("1") AS ?a) ("xsd:int(" AS ?b) { ?s ?p "1"^^xsd:int, xsd:double("1") }';
	assert.equal(replaceCasts(query), query.replace("xsd:int(", "<http://www.w3.org/2001/XMLSchema#integer>("));
});

test("known prefixes that a query does not declare are declared, on its first line", () => {
	const namespaces = new Map([
		["a", "http://a/"],
		["b", "http://b/"],
		["c", "http://c/"],
	]);
	assert.equal(
		declarePrefixes('PREFIX b: <http://other/>\nSELECT * { a:x b:y "c:z", <c:z>, _:c }', (prefix) =>
			namespaces.get(prefix),
		),
		'PREFIX a: <http://a/> PREFIX b: <http://other/>\nSELECT * { a:x b:y "c:z", <c:z>, _:c }',
	);
});
