import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { Store } from "oxigraph";
import type { FailureCode } from "../../../src/core/failure.ts";
import { createEndpointGraph, type EndpointOptions } from "../../../src/store/graph/endpointGraph.ts";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const PREFIX = "PREFIX : <http://example.org/> ";
const never = new AbortController().signal;

const store = new Store();
store.load(
	`@prefix : <http://example.org/> .
:ada a :Person ; :name "Ada", "Ada"@EN ; :age 36 ; :knows :grace, [ :name "A friend" ] .
:grace a :Person ; :name "Grace \\"Amazing\\"\\nHopper" .
:london a :City ; :name "London" .
:norway :capital :london .`,
	{ format: "text/turtle" },
);

type Answer = (request: IncomingMessage, response: ServerResponse, query: string) => void;

/** An endpoint on this computer, the queries that came in, and the graph that asks it. */
async function serve(
	test: TestContext,
	answer: Answer = answerQuery,
	options: Partial<EndpointOptions> = {},
) {
	const queries: string[] = [];
	const server = createServer(async (request, response) => {
		const query =
			new URLSearchParams((await request.setEncoding("utf8").toArray()).join("")).get("query") ?? "";
		queries.push(query);
		answer(request, response, query);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	test.after(close);
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const graph = createEndpointGraph({ endpoint: `http://${host}/sparql`, ...options });
	return { graph, queries, host, server, close };
}

const answerQuery: Answer = ({ headers, method }, response, query) => {
	assert.deepEqual(
		[method, headers["content-type"]],
		["POST", "application/x-www-form-urlencoded;charset=UTF-8"],
	);
	const { accept = "" } = headers;
	const format = accept === "application/n-triples" ? accept : "json";
	try {
		const text = String(store.query(query, { results_format: format }));
		response.setHeader("content-type", `${accept}; charset=utf-8`).end(text);
	} catch (thrown) {
		response.writeHead(400, { "content-type": "text/plain" }).end(String(thrown));
	}
};

const asks = (sparql: string, limit?: number) => ({ sparql: PREFIX + sparql, ...(limit && { limit }) });
const iri = (local: string) => ({ termType: "NamedNode", value: `http://example.org/${local}` });
const text = (value: string) => ({ termType: "Literal", value, datatype: `${XSD}string` });

test("a SELECT gives terms by variable, no sources, and a notice that says why", async (t) => {
	const { graph, host } = await serve(t);
	const select = "SELECT ?city ?name ?none { ?city a :City ; :name ?name OPTIONAL { ?city :age ?none } }";
	assert.deepEqual(await graph.query(asks(select), never), {
		answer: {
			kind: "rows",
			variables: ["city", "name", "none"],
			rows: [{ city: iri("london"), name: text("London") }],
			total: 1,
			truncated: false,
		},
		sources: [],
		notices: [`Answered by the endpoint ${host}; its rows have no lines in files.`],
	});
});

test("datatypes, languages and blank nodes come through", async (t) => {
	const { graph } = await serve(t);
	const { answer } = await graph.query(
		asks("SELECT ?v { :ada :name|:age|:knows ?v FILTER(?v != :grace) }"),
		never,
	);
	const values = answer.kind === "rows" ? answer.rows.map(({ v }) => v) : [];
	const kinds = values.map((value) =>
		value?.termType === "Literal" ? [value.datatype.split("#")[1], value.language] : value?.termType,
	);
	assert.deepEqual(
		new Set(kinds.map(String)),
		new Set(["string,", "langString,en", "integer,", "BlankNode"]),
	);
});

test("an ASK gives yes or no", async (t) => {
	const { graph } = await serve(t);
	const ask = async (sparql: string) => (await graph.query(asks(sparql), never)).answer;
	assert.deepEqual(await ask("ASK { :ada a :Person }"), { kind: "boolean", value: true });
	assert.deepEqual(await ask("ASK { :ada a :City }"), { kind: "boolean", value: false });
});

test("a CONSTRUCT gives statements, with their escapes resolved", async (t) => {
	const { graph } = await serve(t);
	const { answer } = await graph.query(asks("CONSTRUCT { :grace :called ?n } { :grace :name ?n }"), never);
	assert.deepEqual(answer, {
		kind: "quads",
		quads: [
			{
				subject: iri("grace"),
				predicate: iri("called"),
				object: text('Grace "Amazing"\nHopper'),
				lines: { start: 0, end: 0 },
			},
		],
		truncated: false,
	});
});

test("a DESCRIBE gives statements", async (t) => {
	const { graph } = await serve(t);
	const { answer } = await graph.query(asks("DESCRIBE :london"), never);
	assert.equal(answer.kind === "quads" && answer.quads.length, 2);
});

for (const { limit, shown, truncated } of [
	{ limit: 3, shown: 3, truncated: true },
	{ limit: 4, shown: 4, truncated: false },
]) {
	test(`four rows or statements under a limit of ${limit} are ${truncated ? "" : "not "}truncated`, async (t) => {
		const { graph, queries } = await serve(t);
		const rows = (await graph.query(asks("SELECT ?t { ?s a ?t } LIMIT 900 VALUES ?x { 1 2 }"), never)).answer;
		assert.ok(rows.kind === "rows");
		const selected = (await graph.query(asks("SELECT ?s { VALUES ?s { 1 2 3 4 } }", limit), never)).answer;
		assert.ok(selected.kind === "rows");
		assert.deepEqual([selected.rows.length, selected.truncated], [shown, truncated]);
		assert.equal(selected.total, truncated ? undefined : 4);
		assert.match(queries.at(-1) ?? "", new RegExp(`LIMIT ${limit + 1}\n`));
		const made = (
			await graph.query(asks("CONSTRUCT { :x :is ?s } { VALUES ?s { 1 2 2 2 3 4 } }", limit), never)
		).answer;
		assert.ok(made.kind === "quads");
		assert.deepEqual([made.quads.length, made.truncated], [shown, truncated]);
	});
}

test("the ontology has classes, properties, values and examples, under prefixes that queries may use", async (t) => {
	const { graph } = await serve(t);
	const ontology = await graph.ontology({}, never);
	assert.equal(
		ontology,
		`5 resources, 11 statements, 2 classes, 4 properties. Counts are resources.
PREFIX example: <http://example.org/>
PREFIX xsd: <${XSD}>

example:Person (2), e.g. <http://example.org/ada>
  example:name (2): text 2, text with a language 1, e.g. "Ada"
  example:age (1): xsd:integer, e.g. "36"
  example:knows (1): example:Person 1, resource without a class 1
example:City (1), e.g. <http://example.org/london>
  example:name (1): text, e.g. "London"
Without a class (2)
  example:capital (1): example:City
  example:name (1): text, e.g. "A friend"`
			.split("\n")
			.join("\n"),
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
	assert.match(ontology, /cannot tell: the values of the properties; the resources without a class; /);
	assert.equal(queries.length, 4);
});

test("a check names the class and the property that the endpoint does not use, with the nearest", async (t) => {
	const { graph } = await serve(t);
	const unknown = await graph.check(`${PREFIX}SELECT * { ?s a :Persons ; :nam ?n ; :knows ?k }`, never);
	assert.deepEqual(
		unknown.map(({ iri, nearest }) => [iri, nearest[0]]),
		[
			["http://example.org/Persons", "http://example.org/Person"],
			["http://example.org/nam", "http://example.org/name"],
		],
	);
});

test("a check of a query whose terms are in use does not read the ontology", async (t) => {
	const { graph, queries } = await serve(t);
	assert.deepEqual(await graph.check(`${PREFIX}SELECT * { ?s a :Person ; :name ?n }`, never), []);
	assert.equal(queries.length, 3);
});

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
		await assert.rejects(graph.check(PREFIX + sparql, never), { code: "BAD_INPUT" });
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

const refusals: readonly (readonly [string, Answer, FailureCode, RegExp])[] = [
	["500", writeBody(500, "text/plain", "disk full."), "ENDPOINT_FAILED", /answered 500: disk full\. Try/],
	["404", writeBody(404, "text/html", "<p>no"), "ENDPOINT_FAILED", /answered 404\. Check that the setting/],
	["401", writeBody(401, "text/plain", ""), "ENDPOINT_FAILED", /does not let you in \(401\)/],
	["a redirect", redirect, "ENDPOINT_FAILED", /redirects to http:\/\/other\.example\/query, which is not/],
	["a page", writeBody(200, "text/html", "<p>hi"), "ENDPOINT_FAILED", /answered with text\/html instead/],
	["broken JSON", writeBody(200, JSON_TYPE, '{"head":'), "ENDPOINT_FAILED", /no table of SPARQL JSON/],
	["an ASK's JSON", writeBody(200, JSON_TYPE, '{"boolean":true}'), "ENDPOINT_FAILED", /no table of/],
	["a refusal", writeBody(400, "text/plain", "line 1: what?"), "BAD_INPUT", /: line 1: what\?\. Correct it/],
];

for (const [what, answer, code, message] of refusals) {
	test(`${what} is a failure that names the endpoint and shows no account`, async (t) => {
		const { host } = await serve(t, answer);
		const graph = createEndpointGraph({ endpoint: `http://ann:secret@${host}/sparql?key=secret` });
		await assert.rejects(graph.query(asks("SELECT * { ?s ?p ?o }"), never), (thrown: Error) => {
			assert.partialDeepStrictEqual(thrown, { name: "Failure", code });
			assert.match(thrown.message, message);
			assert.ok(thrown.message.includes(`http://${host}/sparql`));
			assert.doesNotMatch(thrown.message, /ann|secret/);
			return true;
		});
	});
}

test("an answer that is no N-Triples is a failure", async (t) => {
	const { graph } = await serve(t, writeBody(200, "application/n-triples", "<a> <b> c .\n"));
	await assert.rejects(graph.query(asks("CONSTRUCT WHERE { ?s ?p ?o }"), never), /no N-Triples/);
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

test("an answer that breaks off is a failure", async (t) => {
	const { graph } = await serve(t, (_, response) => {
		response.writeHead(200, { "content-type": JSON_TYPE, "content-length": "1000" });
		response.write("{", () => response.destroy());
	});
	await assert.rejects(graph.query(asks("ASK {}"), never), { code: "ENDPOINT_FAILED" });
});

test("an answer without an end is cut off", async (t) => {
	const piece = Buffer.alloc(1024 * 1024, " ");
	const { graph, server } = await serve(t, (_, response) => {
		response.writeHead(200, { "content-type": JSON_TYPE });
		const fill = () => {
			while (!response.destroyed && response.write(piece));
		};
		response.on("drain", fill);
		response.on("close", () => server.emit("left"));
		fill();
	});
	const left = once(server, "left");
	await assert.rejects(graph.query(asks("SELECT * { ?s ?p ?o }"), never), {
		code: "ENDPOINT_FAILED",
		message: /larger than 16 MB/,
	});
	await left;
});

test("statements without an end are read up to the limit", async (t) => {
	const { graph, server } = await serve(t, (_, response) => {
		let number = 0;
		response.writeHead(200, { "content-type": "application/n-triples" });
		const fill = () => {
			while (!response.destroyed && response.write(`<urn:s> <urn:p> "${number++}" .\n`));
		};
		response.on("drain", fill);
		response.on("close", () => server.emit("left"));
		fill();
	});
	const left = once(server, "left");
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

test("cancelling while the answer comes in rejects with the reason", async (t) => {
	const cancellation = new AbortController();
	const reason = new Error("cancelled by the test");
	const { graph } = await serve(t, (_, response) => {
		response.writeHead(200, { "content-type": JSON_TYPE });
		response.write("{", () => cancellation.abort(reason));
	});
	await assert.rejects(graph.query(asks("ASK {}"), cancellation.signal), reason);
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
