import assert from "node:assert/strict";
import { after, test } from "node:test";
import { declarePrefixes } from "../../../src/base/rdf/sparqlNames.ts";
import type { GraphAnswer } from "../../../src/core/knowledge/graph.ts";
import { literal, namedNode, quad } from "../../../src/core/knowledge/rdf.ts";
import type { SparqlOptions } from "../../../src/graph/sparql/sparql.ts";
import { limitSolutions, replaceCasts } from "../../../src/graph/sparql/sparqlRequest.ts";
import { times } from "../../support/times.ts";
import { graphOf, quadsOf, shortOf, sparqlOf } from "../sampleGraph.ts";

const graph = graphOf({
	"file:///a": ':ada :knows :grace ; :name "Ada" . :grace :knows _:x ; :age 40 . _:x :name "X"@en .',
	"file:///b": ':ada :name "Ada" . :alan :knows :ada .',
});
const sparql = sparqlOf(graph);
after(() => sparql.close());

async function ask(query: string, options: SparqlOptions = {}): Promise<GraphAnswer> {
	return await sparql.query(`PREFIX : <http://example.org/> ${query}`, options, new AbortController().signal);
}

async function tableOf(query: string): Promise<string[]> {
	const result = await ask(query);
	assert.ok(result.kind === "rows");
	return result.rows.map((row) => result.variables.map((name) => shortOf(row[name])).join(" "));
}

test("SELECT returns rows in the order of the variables, with gaps for unbound variables", async () => {
	const query = "SELECT ?s ?age { ?s :knows ?o OPTIONAL { ?s :age ?age } } ORDER BY ?s";
	assert.deepEqual(await tableOf(query), ["ada -", "alan -", "grace 40"]);
	assert.deepEqual(await tableOf("SELECT * { ?z :age ?a }"), ["grace 40"]);
});

test("CONSTRUCT and DESCRIBE return statements", async () => {
	const made = await ask("CONSTRUCT { ?o :isKnownBy ?s } { ?s :knows ?o FILTER(isIRI(?o)) }");
	assert.ok(made.kind === "quads");
	const told = made.quads.map((one) => [one.subject, one.predicate, one.object].map(shortOf).join(" "));
	assert.deepEqual(told.sort(), ["ada isKnownBy alan", "grace isKnownBy ada"]);
	const described = await ask("DESCRIBE :alan");
	assert.equal(described.kind === "quads" && described.quads.length, 1);
});

test("a statement in two documents is counted once, and found in the graphs of both", async () => {
	assert.deepEqual(await tableOf('SELECT (COUNT(*) AS ?n) { :ada :name "Ada" }'), ["1"]);
	const graphs = await tableOf('SELECT ?g { GRAPH ?g { :ada :name "Ada" } } ORDER BY ?g');
	assert.deepEqual(graphs, ["file:///a", "file:///b"]);
});

test("FROM and FROM NAMED select documents", async () => {
	assert.deepEqual(await tableOf("SELECT ?s FROM <file:///b> { ?s :knows ?o }"), ["alan"]);
	const named = await tableOf("SELECT DISTINCT ?g FROM NAMED <file:///b> { GRAPH ?g { ?s ?p ?o } }");
	assert.deepEqual(named, ["file:///b"]);
});

test("a blank node keeps the label that the graph assigns to it", async () => {
	const [named] = [...graph.match({ object: { ...literal("X"), language: "en" } })];
	const found = await tableOf("SELECT ?x { ?x :name ?n FILTER(isBlank(?x)) }");
	assert.deepEqual(found, [named?.subject.value]);
});

const NUMBERS = times(22, (at) => `(${at})`).join(" ");
const MANY = ["a", "b", "c"].map((name) => `VALUES (?${name}) { ${NUMBERS} }`).join(" ");

for (const [title, query, rowLimit, expected] of [
	["rows of a query over the limit are counted but not returned", "SELECT ?s { ?s ?p ?o }", 2, [2, 6, true]],
	["a limit in the query is not a truncation", "SELECT ?s { ?s ?p ?o } LIMIT 3 OFFSET 1", 100, [3, 3, false]],
	["the total of very many rows is unknown", `SELECT * { ${MANY} }`, 10, [10, undefined, true]],
] as const)
	test(title, async () => {
		const result = await ask(query, { rowLimit });
		assert.ok(result.kind === "rows");
		assert.deepEqual([result.rows.length, result.total, result.truncated], expected);
	});

const values = [..."abcdefgh"].map((name) => `VALUES ?${name} { ${"1 ".repeat(100)} }`);

for (const [what, query, message] of [
	["takes too long", `SELECT (COUNT(*) AS ?n) { ${values.join(" ")} }`, /time limit of 50 ms/],
	["breaks its thread", `SELECT * { FILTER(${"!".repeat(60_000)}true) }`, /crashed and was restarted/],
] as const)
	test(`a query that ${what} is stopped, and the next query succeeds`, async () => {
		const timeLimitMs = what === "takes too long" ? 50 : 10_000;
		await assert.rejects(ask(query, { timeLimitMs }), { code: "BAD_INPUT", message });
		assert.deepEqual(await tableOf("SELECT ?s { ?s :age 40 }"), ["grace"]);
	});

test("a canceled query rejects with the reason of its signal, and the next query succeeds", async () => {
	const controller = new AbortController();
	const query = sparql.query("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", {}, controller.signal);
	controller.abort(new DOMException("No more.", "AbortError"));
	await assert.rejects(query, { name: "AbortError" });
	assert.deepEqual(await tableOf("SELECT ?s { ?s :age 40 }"), ["grace"]);
});

test("a query sees the current graph after thousands of changes", async () => {
	for (const word of ["before", "after"]) {
		const numbers = times(1500, (at) => `:${word}${at} :${word} ${at} .`);
		graph.replace("file:///large", quadsOf(numbers.join("\n")));
		const many = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p HAVING(COUNT(*) > 999)";
		assert.deepEqual(await tableOf(many), [`${word} 1500`]);
	}
	graph.remove("file:///large");
});

test("terms that are invalid in SPARQL break neither queries nor updates", async () => {
	const object = { ...literal("\ud800\u0000", "x y"), language: "not a tag" };
	for (const value of ['rel ative"<>{}|\\^`\n', "", "http://[x", "http://a/%zz", "1:b"]) {
		graph.replace("file:///o", [quad(namedNode(value), value, object, { start: 1, end: 1 })]);
		assert.deepEqual(await tableOf("SELECT ?g {GRAPH ?g { ?s ?p ?o FILTER(STRLEN(?o)=2) } }"), ["file:///o"]);
	}
	graph.remove("file:///o");
	assert.deepEqual(await tableOf("SELECT ?s { ?s ?p ?o FILTER(STRLEN(?o) = 2) }"), []);
});

const refused: Record<string, [query: string, reason: RegExp]> = {
	"an update after a prologue": ["BASE <http://x/> # SELECT\nDELETE WHERE { ?s ?p ?o }", /read-only/],
	"a load": ["LOAD <http://example.org/data>", /read-only/],
	"another service": ["SELECT * { SERVICE SILENT <http://example.org/> { ?s ?p ?o } }", /SERVICE is refused/],
	"wrong syntax": ["SELECT ?s { ?s ?p }", /The query was refused/],
	"no SPARQL": ["Who knows Ada?", /must begin with SELECT/],
	"a second statement": ["SELECT * { ?s ?p ?o } ; DROP ALL", /The query was refused/],
	"endless brackets": [`SELECT * ${"{".repeat(20_000)}${"}".repeat(20_000)}`, /brackets nested/],
	"a very long literal": [`SELECT * { ?s ?p "${"x".repeat(100_000)}" }`, /longer than/],
};

for (const [name, [query, message]] of Object.entries(refused))
	test(`a query with ${name} is refused with an explanation`, () =>
		assert.rejects(ask(query), { code: "BAD_INPUT", message }));

test("a query may contain the word SERVICE in names, strings and comments", async () => {
	const query = 'SELECT ?service { ?service :name "Ada" . # SERVICE\nFILTER(STR(?service) != "SERVICE") }';
	assert.deepEqual(await tableOf(query), ["ada"]);
});

const limited: Record<string, string> = {
	"SELECT * { ?s ?p ?o } # LIMIT 3": "SELECT * { ?s ?p ?o } LIMIT 9 # LIMIT 3",
	"SELECT * { ?s ?p ?o } limit 300 OFFSET 5": "SELECT * { ?s ?p ?o } limit 9 OFFSET 5",
	"SELECT * { { SELECT * { ?s ?p ?o } LIMIT 3 } } OFFSET 5":
		"SELECT * { { SELECT * { ?s ?p ?o } LIMIT 3 } } OFFSET 5 LIMIT 9",
	"SELECT * { ?s ?p 'LIMIT 3' } ORDER BY ?s VALUES ?s { 1 }":
		"SELECT * { ?s ?p 'LIMIT 3' } ORDER BY ?s LIMIT 9 VALUES ?s { 1 }",
	"SELECT * { VALUES ?s { 1 } }": "SELECT * { VALUES ?s { 1 } } LIMIT 9",
};

for (const [query, expected] of Object.entries(limited))
	test(`the query ${query} is limited to nine solutions`, () =>
		assert.equal(limitSolutions(query, 9).replace(/\s+/g, " ").trim(), expected));

test("only casts to integer types become casts to xsd:integer", async () => {
	const query =
		'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT (xsd:int("1") AS ?a) ("xsd:int(" AS ?b) { ?s ?p "1"^^xsd:int, xsd:double("1") }';
	assert.equal(replaceCasts(query), query.replace("xsd:int(", "<http://www.w3.org/2001/XMLSchema#integer>("));
	assert.deepEqual(await tableOf('SELECT (<http://www.w3.org/2001/XMLSchema#int>("007") AS ?n) {}'), ["7"]);
});

test("known prefixes that a query does not declare are declared on its first line", () => {
	const query = 'PREFIX b: <http://other/>\nSELECT * { a:x b:y "c:z", <c:z>, _:c }';
	const namespaceOf = (prefix: string) => (prefix < "d" ? `http://${prefix}/` : undefined);
	assert.equal(declarePrefixes(query, namespaceOf), `PREFIX a: <http://a/> ${query}`);
});
