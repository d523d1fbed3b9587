import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { FailureCode } from "../../../src/base/failure.ts";
import { createEndpointGraph } from "../../../src/graph/endpoint/endpointGraph.ts";
import { type Answer, serve, writeBody } from "./endpointServer.ts";

const never = new AbortController().signal;
const ALL = "SELECT * { ?s ?p ?o }";

test("what is more than a query of this endpoint is refused before anything is sent", async (t) => {
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
	["500", writeBody("text/plain", "disk full.", 500), /answered 500: disk full\. Ask/],
	["404", writeBody("text/html", "<p>no", 404), /answered 404\. Check that the setting/],
	["401", writeBody("text/plain", "", 401), /denied access \(401\)/],
	["a redirect", redirect, /redirects to http:\/\/other\.example\/query, and redirects are not/],
	["a page", writeBody("text/html", "<p>hi"), /answered with text\/html instead/],
	["broken JSON", writeBody(JSON_TYPE, '{"head":'), /not valid SPARQL JSON/],
	["an ASK's JSON", writeBody(JSON_TYPE, '{"boolean":true}'), /not valid SPARQL JSON/],
	["a refusal", writeBody("text/plain", "line 1: what?", 400), /: line 1: what\?\. Correct it/, "BAD_INPUT"],
];

for (const [what, answer, message, code = "ENDPOINT_FAILED"] of refusals)
	test(`${what} is a failure that names the endpoint and shows no account`, async (t) => {
		const { host } = await serve(t, answer);
		const graph = createEndpointGraph({ endpoint: `http://ann:secret@${host}/sparql?key=secret` });
		const failure = await graph.query({ sparql: ALL }, never).catch((thrown) => thrown);
		assert.equal(failure.code, code);
		assert.match(failure.message, message);
		assert.ok(failure.message.includes(`http://${host}/sparql`));
		assert.doesNotMatch(failure.message, /ann|secret/);
	});

test("an endpoint that is not there, or none, is a failure that says so", async (t) => {
	const { ask, server } = await serve(t);
	server.close();
	await once(server, "close");
	const message = /cannot be reached \(ECONNREFUSED\)\. Start the endpoint, or correct the setting/;
	await assert.rejects(ask("ASK {}"), { code: "ENDPOINT_FAILED", message });
	for (const endpoint of ["", "graph", "file:///etc/passwd", "ftp://example.org/"])
		assert.throws(() => createEndpointGraph({ endpoint }), { code: "BAD_INPUT" }, endpoint);
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

test("an answer without an end is cut off, and statements without an end are read up to the limit", async (t) => {
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

test("cancelling a slow query ends the request and rejects with the reason", async (t) => {
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

test("a query is stopped after its time limit", async (t) => {
	const { ask } = await serve(t, () => undefined, { timeLimitMs: 5 });
	const message = /stopped after its time limit of 5 ms\. Make it more selective/;
	await assert.rejects(ask("ASK {}"), { code: "BAD_INPUT", message });
});

test("an account in the address is sent as Basic authentication", async (t) => {
	const sent: unknown[] = [];
	const { host } = await serve(t, (request, ...others) => {
		sent.push(request.headers.authorization);
		writeBody(JSON_TYPE, JSON.stringify({ head: {}, boolean: true }))(request, ...others);
	});
	const graph = createEndpointGraph({ endpoint: `http://ann:s%20p%25@${host}/sparql` });
	await graph.query({ sparql: "ASK {}" }, never);
	assert.deepEqual(sent, [`Basic ${Buffer.from("ann:s p%").toString("base64")}`]);
});
