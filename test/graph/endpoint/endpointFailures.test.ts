import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { Failure, type FailureCode } from "../../../src/base/failure.ts";
import { createEndpointGraph } from "../../../src/graph/endpoint/endpointGraph.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { type Answer, asks, never, PREFIX, serve } from "./endpointServer.ts";

for (const [what, sparql] of [
	["an update", "INSERT DATA { :a :b :c }"],
	["an update with an unknown prefix", "DELETE WHERE { other:a ?b ?c }"],
	["SERVICE", "SELECT * { SERVICE <http://other.example/> { ?s ?p ?o } }"],
	["SERVICE behind an escape", "SELECT * { \\u0053ERVICE <http://other.example/> { ?s ?p ?o } }"],
	["a string that an escape ends", 'SELECT * { BIND("\\u0022 AS ?x) SERVICE <http://o/> {} #" AS ?x) }'],
] as const) {
	test(`${what} is refused before anything is sent`, async (t) => {
		const { graph, queries } = await serve(t);
		await assert.rejects(graph.query(asks(sparql), never), { code: "BAD_INPUT" });
		await assert.rejects(graph.check({ sparql: PREFIX + sparql }, never), { code: "BAD_INPUT" });
		assert.deepEqual(queries, []);
	});
}

const redirect: Answer = (_, response) =>
	response.writeHead(307, { location: "http://ann:secret@other.example/query?key=secret" }).end();
const writeBody =
	(status: number, type: string, body: string): Answer =>
	(_, response) =>
		response.writeHead(status, { "content-type": type }).end(body);
const JSON_TYPE = "application/sparql-results+json";

const refusals: readonly (readonly [string, Answer, RegExp, FailureCode?])[] = [
	["500", writeBody(500, "text/plain", "disk full."), /answered 500: disk full\. Ask/],
	["404", writeBody(404, "text/html", "<p>no"), /answered 404\. Check that the setting/],
	["401", writeBody(401, "text/plain", ""), /denied access \(401\)/],
	["a redirect", redirect, /redirects to http:\/\/other\.example\/query, and redirects are not/],
	["a page", writeBody(200, "text/html", "<p>hi"), /answered with text\/html instead/],
	["broken JSON", writeBody(200, JSON_TYPE, '{"head":'), /not valid SPARQL JSON/],
	["an ASK's JSON", writeBody(200, JSON_TYPE, '{"boolean":true}'), /not valid SPARQL JSON/],
	["a refusal", writeBody(400, "text/plain", "line 1: what?"), /: line 1: what\?\. Correct it/, "BAD_INPUT"],
];

for (const [what, answer, message, code = "ENDPOINT_FAILED"] of refusals) {
	test(`${what} is a failure that names the endpoint and shows no account`, async (t) => {
		const { host } = await serve(t, answer);
		const graph = createEndpointGraph({ endpoint: `http://ann:secret@${host}/sparql?key=secret` });
		await assert.rejects(graph.query(asks("SELECT * { ?s ?p ?o }"), never), (thrown: Error) => {
			assert.ok(thrown instanceof Failure);
			assert.equal(thrown.code, code);
			assert.match(thrown.message, message);
			assert.ok(thrown.message.includes(`http://${host}/sparql`));
			assert.doesNotMatch(thrown.message, /ann|secret/);
			return true;
		});
	});
}

for (const line of [
	"<urn:s> <urn:p> <urn:o>",
	"<urn:s> _:p <urn:o> .",
	'"s" <urn:p> <urn:o> .',
	"<urn:s> <urn:p> 5 .",
	"<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> .",
	'<urn:s> <urn:p> "open .',
])
	test(`${line} is no N-Triples, which is a failure`, async (t) => {
		const { graph } = await serve(t, writeBody(200, "application/n-triples", line));
		await assert.rejects(graph.query(asks("CONSTRUCT WHERE { ?s ?p ?o }"), never), /not valid N-Triples/);
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
	const { graph } = await serve(t, writeBody(200, "application/n-triples", lines));
	const { answer } = await graph.query(asks("CONSTRUCT WHERE { ?s ?p ?o }"), never);
	const quads = answer.kind === "quads" ? answer.quads : [];
	assertMapped(
		quads,
		({ object }) => object.value,
		objects.map(([, value]) => value),
	);
	assert.deepEqual(quads[3]?.object, { termType: "Literal", value: "1", datatype: "urn:d" });
	assert.equal(quads[4]?.object.termType === "Literal" && quads[4].object.language, "de-ch");
});

test("an endpoint that is not there is a failure that says so", async (t) => {
	const { graph, server, close } = await serve(t);
	close();
	await once(server, "close");
	await assert.rejects(graph.query(asks("ASK {}"), never), {
		code: "ENDPOINT_FAILED",
		message: /cannot be reached \(ECONNREFUSED\)\. Start the endpoint, or correct the setting/,
	});
});

/** Sends pieces until nobody reads them; the server then emits `left`. */
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

test("an answer without an end is cut off", async (t) => {
	const blank = " ".repeat(1024 * 1024);
	const { graph, left } = await serveEndless(t, JSON_TYPE, () => blank);
	await assert.rejects(graph.query(asks("SELECT * { ?s ?p ?o }"), never), {
		code: "ENDPOINT_FAILED",
		message: /larger than 16 MB/,
	});
	await left;
});

test("statements without an end are read up to the limit", async (t) => {
	const statement = (number: number) => `<urn:s> <urn:p> "${number}" .\n`;
	const { graph, left } = await serveEndless(t, "application/n-triples", statement);
	const { answer } = await graph.query(asks("CONSTRUCT WHERE { ?s ?p ?o }", 50), never);
	assert.ok(answer.kind === "quads");
	assert.deepEqual([answer.quads.length, answer.truncated], [50, true]);
	await left;
});

test("cancelling a slow query ends the request and rejects with the reason", async (t) => {
	const cancellation = new AbortController();
	const reason = new Error("cancelled by the test");
	const { graph, server } = await serve(t, (_, response) => {
		response.on("close", () => server.emit("left"));
		cancellation.abort(reason);
	});
	const left = once(server, "left");
	await assert.rejects(graph.query(asks("ASK {}"), cancellation.signal), reason);
	await left;
});

test("a query is stopped after its time limit", async (t) => {
	const { graph } = await serve(t, () => undefined, { timeLimitMs: 5 });
	await assert.rejects(graph.query(asks("ASK {}"), never), {
		code: "BAD_INPUT",
		message: /stopped after its time limit of 5 ms\. Make it more selective/,
	});
});

test("an account in the address is sent as Basic authentication", async (t) => {
	const { host } = await serve(t, (request, response) => {
		const value = request.headers.authorization === `Basic ${Buffer.from("ann:s p%").toString("base64")}`;
		writeBody(200, JSON_TYPE, JSON.stringify({ head: {}, boolean: value }))(request, response, "");
	});
	const graph = createEndpointGraph({ endpoint: `http://ann:s%20p%25@${host}/sparql` });
	const { answer } = await graph.query(asks("ASK {}"), never);
	assert.deepEqual(answer, { kind: "boolean", value: true });
});

for (const endpoint of ["", "graph", "file:///etc/passwd", "ftp://example.org/"]) {
	test(`"${endpoint}" is no endpoint`, () => {
		assert.throws(() => createEndpointGraph({ endpoint }), { code: "BAD_INPUT" });
	});
}
