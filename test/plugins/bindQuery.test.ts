import assert from "node:assert/strict";
import { test } from "node:test";
import oxigraph from "oxigraph";
import { bindQuery, variablesIn } from "../../src/plugins/queries/bindQuery.ts";

const store = new oxigraph.Store();
store.load(
	`@prefix : <urn:> .
	:a :name "Ada" ; :age 36 ; :knows :b . :b :name "O'\\"Neil\\\\" ; :age 4 . :c :name "Eve" ; :age 50 .`,
	{ format: "text/turtle" },
);

function bind(query: string, given: Readonly<Record<string, unknown>>, iris: readonly string[] = []): string {
	const entries = Object.entries(given).map(
		([name, value]) => [name, { value, kind: iris.includes(name) ? "iri" : "string" }] as const,
	);
	return bindQuery(query, new Map(entries));
}

function rows(query: string): string[] {
	const found = store.query(`PREFIX : <urn:> ${query}`) as Map<string, { value: string }>[];
	return found.map((row) => [...row.values()].map(({ value }) => value).join(" ")).sort();
}

test("a value stands where its variable stood, in patterns, filters and what is selected", () => {
	const query = "SELECT ?name ?p WHERE { ?p :name $name . FILTER(STRLEN(?name) > 0) }";
	assert.deepEqual(rows(bind(query, { name: "Ada" })), ["Ada urn:a"]);
	assert.deepEqual(rows(bind(query, {})).length, 3);
	const sorted = "SELECT ?n (COUNT(?p) AS ?c) { ?p :age ?n } GROUP BY ?n ORDER BY ?n DESC(?n)";
	assert.deepEqual(rows(bind(sorted, { n: 36 })), ["36 1"]);
	assert.deepEqual(rows(bind("SELECT ?n { ?x :knows ?y . ?y :name ?n }", { x: "urn:a" }, ["x"])), [
		`O'"Neil\\`,
	]);
});

test("a list stands in IN and in VALUES, a count after LIMIT, and BOUND of a value is true", () => {
	assert.deepEqual(
		rows(bind("SELECT ?p { ?p :name ?n FILTER(?n IN ($names)) }", { names: ["Ada", "Eve"] })),
		["urn:a", "urn:c"],
	);
	const values = "SELECT ?p { VALUES ?n { $names } ?p :name ?n }";
	assert.deepEqual(rows(bind(values, { names: ["Ada", "Eve"] })), ["urn:a", "urn:c"]);
	assert.deepEqual(rows(bind("SELECT ?p { ?p :age ?a } ORDER BY ?a LIMIT $max", { max: 1 })), ["urn:b"]);
	const optional = "SELECT ?p { ?p :age ?a FILTER(!BOUND($min) || ?a >= $min) }";
	assert.deepEqual(rows(bind(optional, { min: 36 })), ["urn:a", "urn:c"]);
	assert.equal(rows(bind(optional, {})).length, 3);
	for (const [query, given] of [
		["SELECT ?p { ?p :name ?n }", { n: ["Ada"] }],
		["SELECT ?p { VALUES ?n { 1 } }", { n: "x" }],
		["SELECT ?p { VALUES (?n ?m) { (1 2) } }", { n: "x" }],
		["SELECT (1 AS ?n) {}", { n: "x" }],
		["SELECT ?p { ?p :age ?a } LIMIT $n", { n: -1 }],
		["SELECT ?p { ?p :age ?a } LIMIT $n", { n: "1 } DROP ALL" }],
		["SELECT ?p { ?p :age ?n }", { n: { a: 1 } }],
		["SELECT ?p { ?p :age ?n }", { n: Number.NaN }],
	] as const)
		assert.throws(() => bind(query, given), { name: "Failure" }, query);
});

test("nothing is bound in texts, IRIs and comments, nor where a name only begins so", () => {
	const query = 'SELECT ?x { ?x <urn:?name> "?name" . ?x :b ?names } # ?name';
	assert.equal(bind(query, { name: "Ada" }), query);
	assert.deepEqual([...variablesIn(query)], ["x", "names"]);
});

const HOSTILE = [
	`" . ?s ?p ?o . FILTER("" = "`,
	`\\" } INSERT DATA { <urn:x> <urn:x> 1 } #`,
	"\\",
	"\\\\",
	`\\\\"`,
	"\n} SELECT * { ?s ?p ?o",
	"\r\n#",
	"\\u0022 } ASK { ?s ?p ?o } #",
	"\\U00000022 . ?s ?p ?o",
	`'''"""`,
	"?name $name {{name}}",
	"\u0000\u2028\ud800",
	"> . ?s ?p ?o . <",
];

test("whatever a text holds, it stays one text", () => {
	for (const name of HOSTILE) {
		const ask = bind("SELECT (STRLEN($name) AS ?n) ($name AS ?said) {}", { name });
		const [row] = store.query(ask) as Map<string, { value: string }>[];
		assert.equal(row?.get("said")?.value, name.toWellFormed(), JSON.stringify(name));
		assert.deepEqual(rows(bind("SELECT ?p { ?p :name $name }", { name })), [], JSON.stringify(name));
		const list = bind("SELECT ?p { ?p :name ?n FILTER(?n IN ($names)) }", { names: [name, "Ada"] });
		assert.deepEqual(rows(list), ["urn:a"], JSON.stringify(name));
	}
});

test("what is no IRI is refused before the query runs", () => {
	for (const thing of [...HOSTILE, "urn:a b", "urn:a>", "relative", "", "urn:a\\u003e", "//host"])
		assert.throws(() => bind("SELECT ?p { $x ?p ?o }", { x: thing }, ["x"]), { name: "Failure" }, thing);
});
