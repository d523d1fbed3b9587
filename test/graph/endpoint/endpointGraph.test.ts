import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { FailureCode } from "../../../src/base/failure.ts";
import { createEndpointGraph } from "../../../src/graph/endpoint/endpointGraph.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { type Answer, answerQuery, serve, writeBody } from "./endpointServer.ts";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const iri = (local: string) => ({ termType: "NamedNode", value: `http://example.org/${local}` });
const text = (value: string) => ({ termType: "Literal", value, datatype: `${XSD}string` });

test("a SELECT returns terms of every kind by variable, with a notice about the missing sources", async (t) => {
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
	const kinds = values.map((value) =>
		value?.termType === "Literal" ? [value.datatype.split("#")[1], value.language] : value?.termType,
	);
	assert.deepEqual(
		new Set(kinds.map(String)),
		new Set(["string,", "langString,en", "integer,", "BlankNode"]),
	);
});

test("rows and statements over the limit are truncated", async (t) => {
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

test("the ontology of an endpoint shows classes, properties, values, examples and prefixes for queries", async (t) => {
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

test("the ontology of an endpoint is queried again after five minutes", async (t) => {
	t.mock.timers.enable({ apis: ["Date"] });
	const { ontology, queries } = await serve(t);
	const sent: number[] = [];
	for (const time of [0, 299_999, 300_000]) {
		t.mock.timers.setTime(time);
		await ontology();
		sent.push(queries.length);
	}
	const [first = 0] = sent;
	assert.deepEqual(sent, [first, first, 2 * first]);
});

test("an ontology of an endpoint that refuses some queries states which details are missing", async (t) => {
	const { ontology, queries } = await serve(t, (request, response, query) =>
		(query.includes("?range") ? writeBody("text/plain", "", 503) : answerQuery)(request, response, query),
	);
	const gaps = "the values of the properties; the resources without a class; ";
	assert.match(await ontology(), new RegExp(`example:Person \\(2\\).*cannot list: ${gaps}`, "s"));
	assert.equal(queries.length, 4);
});

test("a check reports terms that an endpoint does not use, with similar terms from the ontology", async (t) => {
	const { check, queries } = await serve(t);
	assert.deepEqual(await check("SELECT * { ?s a :Person ; :name ?n }"), []);
	assert.equal(queries.length, 1);
	assertMapped(await check("SELECT * { ?s a :Persons ; :nam ?n }"), ({ iri, nearest }) => [iri, nearest[0]], [
		["http://example.org/Persons", "http://example.org/Person"],
		["http://example.org/nam", "http://example.org/name"],
	]);
});

test("N-Triples terms of every kind are read, with white space and comments around them", async (t) => {
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
	for (const [at, [, value]] of objects.entries()) assert.equal(found[at]?.value, value);
	assert.deepEqual(found[3], { termType: "Literal", value: "1", datatype: "urn:d" });
	assert.equal(found[4]?.termType === "Literal" && found[4].language, "de-ch");
});

test("a query fails if the endpoint answers with invalid N-Triples", async (t) => {
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

const never = new AbortController().signal;
const ALL = "SELECT * { ?s ?p ?o }";

test("updates and queries of other services are refused without a request", async (t) => {
	const { ask, check, queries } = await serve(t);
	for (const sparql of [
		"INSERT DATA { :a :b :c }",
		"DELETE WHERE { other:a ?b ?c }",
		"SELECT * { SERVICE <http://other.example/> { ?s ?p ?o } }",
		"SELECT * { \\u0053ERVICE <http://other.example/> { ?s ?p ?o } }",
		'SELECT * { BIND("\\u0022 AS ?x) SERVICE <http://o/> {} #" AS ?x) }',
	])
		for (const send of [ask, check]) await assert.rejects(send(sparql), { code: "BAD_INPUT" }, sparql);
	assert.deepEqual(queries, []);
});

const redirect: Answer = (_, response) =>
	response.writeHead(307, { location: "http://ann:secret@other.example/query?key=secret" }).end();
const JSON_TYPE = "application/sparql-results+json";

const refusals: readonly (readonly [string, Answer, RegExp, FailureCode?])[] = [
	["status 500", writeBody("text/plain", "disk full.", 500), /answered 500: disk full\. Ask/],
	["status 404", writeBody("text/html", "<p>no", 404), /answered 404\. Check that the setting/],
	["status 401", writeBody("text/plain", "", 401), /denied access \(401\)/],
	["a redirect", redirect, /redirects to http:\/\/other\.example\/query, and redirects are not/],
	["a page", writeBody("text/html", "<p>hi"), /answered with text\/html instead/],
	["broken JSON", writeBody(JSON_TYPE, '{"head":'), /not valid SPARQL JSON/],
	["JSON of an ASK", writeBody(JSON_TYPE, '{"boolean":true}'), /not valid SPARQL JSON/],
	["a refusal", writeBody("text/plain", "line 1: what?", 400), /: line 1: what\?\. Correct it/, "BAD_INPUT"],
];

for (const [what, answer, message, code = "ENDPOINT_FAILED"] of refusals)
	test(`an answer with ${what} causes a failure that names the endpoint but not its account`, async (t) => {
		const { host } = await serve(t, answer);
		const graph = createEndpointGraph({ endpoint: `http://ann:secret@${host}/sparql?key=secret` });
		const failure = await graph.query({ sparql: ALL }, never).catch((thrown) => thrown);
		assert.equal(failure.code, code);
		assert.match(failure.message, message);
		assert.ok(failure.message.includes(`http://${host}/sparql`));
		assert.doesNotMatch(failure.message, /ann|secret/);
	});

test("a query of an unreachable endpoint fails with advice, and an invalid endpoint address is refused", async (t) => {
	const { ask, server } = await serve(t);
	server.close();
	await once(server, "close");
	const message = /cannot be reached \(ECONNREFUSED\)\. Start the endpoint, or correct the setting/;
	await assert.rejects(ask("ASK {}"), { code: "ENDPOINT_FAILED", message });
	for (const endpoint of ["", "graph", "file:///etc/passwd", "ftp://example.org/"])
		assert.throws(() => createEndpointGraph({ endpoint }), { code: "BAD_INPUT" }, endpoint);
});

/** Sends pieces until the client disconnects; then the server emits `left`. */
async function serveEndless(t: TestContext, type: string, piece: (number: number) => string) {
	const served = await serve(t, (_, response) => {
		let number = 0;
		response.writeHead(200, { "content-type": type });
		const fill = () => {
			while (!response.destroyed && response.write(piece(number++)));
		};
		response.on("drain", fill);
		response.on("close", () => served.server.emit("left"));
		fill();
	});
	return { ...served, left: once(served.server, "left") };
}

test("an endless answer fails at 16 MB, and endless statements are read up to the limit", async (t) => {
	const blank = " ".repeat(1024 * 1024);
	const large = await serveEndless(t, JSON_TYPE, () => blank);
	await assert.rejects(large.ask(ALL), { code: "ENDPOINT_FAILED", message: /larger than 16 MB/ });
	await large.left;
	const long = await serveEndless(t, "application/n-triples", (at) => `<urn:s> <urn:p> "${at}" .\n`);
	const { answer } = await long.ask("CONSTRUCT WHERE { ?s ?p ?o }", { limit: 50 });
	assert.ok(answer.kind === "quads");
	assert.deepEqual([answer.quads.length, answer.truncated], [50, true]);
	await long.left;
});

test("canceling a slow query ends its request and rejects with the reason", async (t) => {
	const cancellation = new AbortController();
	const reason = new Error("cancelled by the test");
	const { ask, server } = await serve(t, (_, response) => {
		response.on("close", () => server.emit("left"));
		cancellation.abort(reason);
	});
	const left = once(server, "left");
	await assert.rejects(ask("ASK {}", { signal: cancellation.signal }), reason);
	await left;
});

test("a query of an endpoint is stopped after its time limit", async (t) => {
	const { ask } = await serve(t, () => undefined, { timeLimitMs: 5 });
	const message = /stopped after its time limit of 5 ms\. Make it more selective/;
	await assert.rejects(ask("ASK {}"), { code: "BAD_INPUT", message });
});

test("the account in an endpoint address is sent as Basic authentication", async (t) => {
	const sent: unknown[] = [];
	const { host } = await serve(t, (request, ...others) => {
		sent.push(request.headers.authorization);
		writeBody(JSON_TYPE, JSON.stringify({ head: {}, boolean: true }))(request, ...others);
	});
	const graph = createEndpointGraph({ endpoint: `http://ann:s%20p%25@${host}/sparql` });
	await graph.query({ sparql: "ASK {}" }, never);
	assert.deepEqual(sent, [`Basic ${Buffer.from("ann:s p%").toString("base64")}`]);
});
