import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { answerQuery, asks, never, PREFIX, serve } from "./endpointServer.ts";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const iri = (local: string) => ({ termType: "NamedNode", value: `http://example.org/${local}` });
const text = (value: string) => ({ termType: "Literal", value, datatype: `${XSD}string` });

test("a SELECT gives terms by variable, no sources, and a notice that says why", async (t) => {
	const { graph, host } = await serve(t);
	const london = { city: iri("london"), name: text("London") };
	const select = "SELECT ?city ?name ?none { ?city a :City ; :name ?name OPTIONAL { ?city :age ?none } }";
	assert.deepEqual(await graph.query(asks(select), never), {
		answer: { kind: "rows", variables: ["city", "name", "none"], rows: [london], total: 1, truncated: false },
		sources: [],
		notices: [`Answered by the endpoint ${host}; its rows are not linked to lines of files.`],
	});
});

test("datatypes, languages and blank nodes come through", async (t) => {
	const { graph } = await serve(t);
	const asked = asks("SELECT * { :ada :name|:age|:knows ?v FILTER(?v!=:grace) }");
	const { answer } = await graph.query(asked, never);
	const values = answer.kind === "rows" ? answer.rows.map(({ v }) => v) : [];
	const kind = values.map((value) =>
		value?.termType === "Literal" ? [value.datatype.split("#")[1], value.language] : value?.termType,
	);
	assert.deepEqual(new Set(kind.map(String)), new Set(["string,", "langString,en", "integer,", "BlankNode"]));
});

for (const [limit, truncated] of [
	[3, true],
	[4, false],
] as const)
	test(`four rows or statements under a limit of ${limit} are ${truncated ? "" : "not "}truncated`, async (t) => {
		const { graph, queries } = await serve(t);
		const select = await graph.query(asks("SELECT ?s { VALUES ?s { 1 2 3 4 } }", limit), never);
		assert.ok(select.answer.kind === "rows");
		const { rows, total: all, truncated: cut } = select.answer;
		assert.deepEqual([rows.length, all, cut], [limit, truncated ? undefined : 4, truncated]);
		assert.match(queries.at(-1) ?? "", new RegExp(`LIMIT ${limit + 1}\n`));
		const construct = "CONSTRUCT { :x :is ?s } { VALUES ?s { 1 2 2 2 3 4 } }";
		const { answer } = await graph.query(asks(construct, limit), never);
		assert.ok(answer.kind === "quads");
		assert.deepEqual([answer.quads.length, answer.truncated], [limit, truncated]);
	});

test("the ontology has classes, properties, values and examples, under prefixes that queries may use", async (t) => {
	const { graph } = await serve(t);
	const ontology = await graph.ontology({}, never);
	assert.equal(
		ontology.replace(/ada>|grace>/, "ada>"),
		`5 resources, 12 statements, 2 classes, 4 properties. Counts are resources.
PREFIX example: <http://example.org/>
PREFIX xsd: <${XSD}>

example:Person (2), e.g. <http://example.org/ada>
  example:name (2): text 2, text with a language 1, e.g. "Ada"
  example:age (1): xsd:integer, e.g. "36"
  example:knows (1): resource without a class 1, example:Person 1
example:City (1), e.g. <http://example.org/london>
  example:name (1): text, e.g. "London"
Without a class (2)
  example:capital (1): example:City
  example:name (1): text, e.g. "A friend"`,
	);
	const { answer } = await graph.query({ sparql: "ASK { ?s a example:City }" }, never);
	assert.deepEqual(answer, { kind: "boolean", value: true });
});

test("the ontology is asked for again after five minutes", async (t) => {
	let time = 0;
	const { graph, queries } = await serve(t, answerQuery, { now: () => time });
	const countQueries = async () => {
		await graph.ontology({}, never);
		return queries.length;
	};
	const first = await countQueries();
	time = 299_999;
	assert.equal(await countQueries(), first);
	time = 300_000;
	assert.equal(await countQueries(), 2 * first);
});

test("an ontology without its details says what is missing", async (t) => {
	const { graph, queries } = await serve(t, (request, response, query) => {
		if (query.includes("?range")) response.writeHead(503).end();
		else answerQuery(request, response, query);
	});
	const ontology = await graph.ontology({}, never);
	assert.match(ontology, /example:Person \(2\)/);
	assert.match(ontology, /cannot list: the values of the properties; the resources without a class; /);
	assert.equal(queries.length, 4);
});

test("a check names the class and the property that the endpoint does not use, with the nearest", async (t) => {
	const { graph } = await serve(t);
	const unknown = await graph.check({ sparql: `${PREFIX}SELECT * { ?s a :Persons ; :nam ?n }` }, never);
	assertMapped(unknown, ({ iri, nearest }) => [iri, nearest[0]], [
		["http://example.org/Persons", "http://example.org/Person"],
		["http://example.org/nam", "http://example.org/name"],
	]);
});

test("a check of a query whose terms are in use does not read the ontology", async (t) => {
	const { graph, queries } = await serve(t);
	assert.deepEqual(await graph.check({ sparql: `${PREFIX}SELECT * { ?s a :Person ; :name ?n }` }, never), []);
	assert.equal(queries.length, 2);
});
