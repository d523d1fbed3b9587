import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { answerQuery, serve, writeBody } from "./endpointServer.ts";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const iri = (local: string) => ({ termType: "NamedNode", value: `http://example.org/${local}` });
const text = (value: string) => ({ termType: "Literal", value, datatype: `${XSD}string` });

test("a SELECT gives terms of every kind by variable, no sources, and a notice that says why", async (t) => {
	const { ask, host } = await serve(t);
	const london = { city: iri("london"), name: text("London") };
	const select = "SELECT ?city ?name ?none { ?city a :City ; :name ?name OPTIONAL { ?city :age ?none } }";
	assert.deepEqual(await ask(select), {
		answer: { kind: "rows", variables: ["city", "name", "none"], rows: [london], total: 1, truncated: false },
		sources: [],
		notices: [`Answered by the endpoint ${host}; its rows are not linked to lines of files.`],
	});
	const { answer } = await ask("SELECT * { :ada :name|:age|:knows ?v FILTER(?v!=:grace) }");
	const values = answer.kind === "rows" ? answer.rows.map(({ v }) => v) : [];
	const kind = values.map((value) =>
		value?.termType === "Literal" ? [value.datatype.split("#")[1], value.language] : value?.termType,
	);
	assert.deepEqual(new Set(kind.map(String)), new Set(["string,", "langString,en", "integer,", "BlankNode"]));
});

test("rows and statements are truncated from one more than the limit on", async (t) => {
	const { ask, queries } = await serve(t);
	for (const limit of [3, 4]) {
		const truncated = limit < 4;
		const { answer: rows } = await ask("SELECT ?s { VALUES ?s { 1 2 3 4 } }", { limit });
		assert.ok(rows.kind === "rows");
		const { total, truncated: cut } = rows;
		assert.deepEqual([rows.rows.length, total, cut], [limit, truncated ? undefined : 4, truncated]);
		assert.match(queries.at(-1) ?? "", new RegExp(`LIMIT ${limit + 1}\n`));
		const { answer: made } = await ask("CONSTRUCT { :x :is ?s } { VALUES ?s { 1 2 2 2 3 4 } }", { limit });
		assert.ok(made.kind === "quads");
		assert.deepEqual([made.quads.length, made.truncated], [limit, truncated]);
	}
});

test("the ontology has classes, properties, values and examples, under prefixes that queries may use", async (t) => {
	const { ask, ontology } = await serve(t);
	assert.equal(
		(await ontology()).replace(/ada>|grace>/, "ada>"),
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
	const { answer } = await ask("ASK { ?s a example:City }");
	assert.deepEqual(answer, { kind: "boolean", value: true });
});

test("the ontology is asked for again after five minutes", async (t) => {
	t.mock.timers.enable({ apis: ["Date"] });
	const { ontology, queries } = await serve(t);
	const asked: number[] = [];
	for (const time of [0, 299_999, 300_000]) {
		t.mock.timers.setTime(time);
		await ontology();
		asked.push(queries.length);
	}
	const [first = 0] = asked;
	assert.deepEqual(asked, [first, first, 2 * first]);
});

test("an ontology without its details says what is missing", async (t) => {
	const { ontology, queries } = await serve(t, (request, response, query) =>
		(query.includes("?range") ? writeBody("text/plain", "", 503) : answerQuery)(request, response, query),
	);
	const gaps = "the values of the properties; the resources without a class; ";
	assert.match(await ontology(), new RegExp(`example:Person \\(2\\).*cannot list: ${gaps}`, "s"));
	assert.equal(queries.length, 4);
});

test("a check names what the endpoint does not use, with the nearest, and reads the ontology only for that", async (t) => {
	const { check, queries } = await serve(t);
	assert.deepEqual(await check("SELECT * { ?s a :Person ; :name ?n }"), []);
	assert.equal(queries.length, 2);
	assertMapped(await check("SELECT * { ?s a :Persons ; :nam ?n }"), ({ iri, nearest }) => [iri, nearest[0]], [
		["http://example.org/Persons", "http://example.org/Person"],
		["http://example.org/nam", "http://example.org/name"],
	]);
});

test("terms of N-Triples are read as they are meant, with space and comments around them", async (t) => {
	const objects = [
		["<urn:\\u00E9>", "urn:é"],
		["_:b.1-c", "b.1-c"],
		['"a\\tb\\\\n\\U0001F600"', "a\tb\\n😀"],
		['"1"^^<urn:d>', "1"],
		['"x"@de-CH', "x"],
		[`"${"a\\n".repeat(500_000)}"`, "a\n".repeat(500_000)],
	] as const;
	const lines = objects.map(([text]) => `\t_:s<urn:p>${text}.# end\r\n`).join("# comment\n \r\n");
	const { ask } = await serve(t, writeBody("application/n-triples", lines));
	const { answer } = await ask("CONSTRUCT WHERE { ?s ?p ?o }");
	const found = answer.kind === "quads" ? answer.quads.map(({ object }) => object) : [];
	const values = objects.map(([, value]) => value);
	assertMapped(found, ({ value }) => value, values);
	assert.deepEqual(found[3], { termType: "Literal", value: "1", datatype: "urn:d" });
	assert.equal(found[4]?.termType === "Literal" && found[4].language, "de-ch");
});

test("what is no N-Triples is a failure", async (t) => {
	let line = "";
	const { ask } = await serve(t, (...all) => writeBody("application/n-triples", line)(...all));
	for (line of [
		"<urn:s> <urn:p> <urn:o>",
		"<urn:s> _:p <urn:o> .",
		'"s" <urn:p> <urn:o> .',
		"<urn:s> <urn:p> 5 .",
		"<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> .",
		'<urn:s> <urn:p> "open .',
	])
		await assert.rejects(ask("CONSTRUCT WHERE { ?s ?p ?o }"), /not valid N-Triples/, line);
});
