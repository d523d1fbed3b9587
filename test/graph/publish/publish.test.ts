import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { Store } from "oxigraph";
import type { PublishReport } from "../../../src/core/knowledge/publication.ts";
import { literal, namedNode, type Quad, quad, subjectOf } from "../../../src/core/knowledge/rdf.ts";
import { createPortableNames, type PublishedDocument, publish } from "../../../src/graph/publish/publish.ts";
import { portOf } from "../../support/listening.ts";

const FOLDER = { uri: "file:///home/ada/sea", name: "sea charts" };
const NAME = "urn:copilot-ld:sea%20charts/";
const never = new AbortController().signal;
const says = (subject: Quad["subject"], object: Quad["object"]) =>
	quad(subject, "http://example.org/says", object, { start: 1, end: 1 });

async function startStore(t: TestContext, refusal?: (update: string) => number | undefined) {
	const store = new Store();
	const updates: string[] = [];
	const server = createServer(async (request, response) => {
		const body = (await request.setEncoding("utf8").toArray()).join("");
		if (request.url === "/query") {
			const rows = store.query(new URLSearchParams(body).get("query") ?? "", { results_format: "json" });
			return response.setHeader("content-type", "application/sparql-results+json").end(String(rows));
		}
		assert.equal(request.headers["content-type"], "application/sparql-update");
		updates.push(body);
		const status = refusal?.(body) ?? 204;
		if (status === 204) store.update(body);
		return response.writeHead(status).end();
	});
	const host = `http://127.0.0.1:${await portOf(t, server)}`;
	const names = createPortableNames([FOLDER]);
	const run = async (all: readonly PublishedDocument[], { removes = true } = {}): Promise<PublishReport> => {
		const target = { query: `${host}/query`, update: `${host}/update`, removes };
		const documents = ReadableStream.from(all);
		return publish({ target, names, documents, onProgress: () => undefined }, never);
	};
	const valuesOf = (query: string) =>
		(store.query(query) as Map<string, { value: string }>[]).map((row) => row.get("v")?.value);
	const says = "?s <http://example.org/says> ?o";
	const graphs = () => valuesOf(`SELECT DISTINCT ?v { GRAPH ?v { ${says} } } ORDER BY ?v`);
	const said = (path: string) =>
		valuesOf(`SELECT (?o AS ?v) { GRAPH <${NAME}${path}> { ${says} } } ORDER BY ?o`);
	return { store, updates, run, graphs, said };
}

const document = (path: string, ...quads: Quad[]) => ({ uri: `${FOLDER.uri}/${path}`, quads });
const LAMP = namedNode("http://example.org/lamp");

test("a published document is a graph whose name does not reveal the location of its folder", async (t) => {
	const { run, graphs, said, updates } = await startStore(t);
	const self = namedNode(`${FOLDER.uri}/a.ttl#me`);
	const linked = [`${FOLDER.uri}/b%20c.md`, "file:///home/ada/secret.txt"].map((uri) =>
		says(self, namedNode(uri)),
	);
	const documents = [document("a.ttl", ...linked), document("b%20c.md", says(LAMP, literal("It is lit.")))];
	const report = await run(documents);
	assert.deepEqual(report, { written: 2, unchanged: 0, statements: 2, left: 1, obsolete: 0 });
	assert.deepEqual(graphs(), [`${NAME}a.ttl`, `${NAME}b%20c.md`]);
	assert.deepEqual(said("a.ttl"), [`${NAME}b%20c.md`]);
	assert.doesNotMatch(updates.join(), /home|ada|secret/);
});

test("publishing again writes only changed documents, and drops graphs of deleted documents on request", async (t) => {
	const { run, said, graphs, updates } = await startStore(t);
	const same = document("same.ttl", says(subjectOf("_:b0"), literal("one")), says(LAMP, subjectOf("_:b0")));
	await run([same, document("n.ttl", says(LAMP, literal("o"))), document("x.ttl", says(LAMP, literal("x")))]);
	const now = [same, document("n.ttl", says(LAMP, literal("n")))];
	const kept = await run(now, { removes: false });
	assert.deepEqual([kept.written, kept.unchanged, kept.obsolete], [1, 1, 1]);
	assert.deepEqual([said("n.ttl"), said("x.ttl")], [["n"], ["x"]]);
	assert.equal((await run(now)).written, 0);
	assert.deepEqual(graphs(), [`${NAME}n.ttl`, `${NAME}same.ttl`]);
	const sent = updates.length;
	assert.deepEqual(await run(now), { written: 0, unchanged: 2, statements: 0, left: 0, obsolete: 0 });
	assert.equal(updates.length, sent);
});

test("publishing keeps the graphs of other folders, even of a folder whose name begins with the same words", async (t) => {
	const { run, store, graphs } = await startStore(t);
	const other = "urn:copilot-ld:sea%20charts%202/a.ttl";
	store.update(
		`INSERT DATA { GRAPH <${other}> { <x:s> <http://example.org/says> "y" } GRAPH <urn:copilot-ld:published> { <${other}> <urn:copilot-ld:digest> "z" } }`,
	);
	await run([]);
	assert.deepEqual(graphs(), [other]);
});

test("text of a published document cannot break out of its string, its graph or the update", async (t) => {
	const { run, said, store } = await startStore(t);
	const broken = ["line\nbreak\r\ttab\u0000\u2028", "\\", "'''"];
	const hostile = ['" } } ; DROP ALL ; INSERT DATA { <x:a> <x:b> "', "\\u0022 } } ; DROP ALL #", ...broken];
	const iris = ["x:a> <x:b> <x:c> } } ; DROP ALL #", "relative path", "x:\\u003E"].map((value) =>
		says(namedNode(value), literal("of an odd name")),
	);
	await run([document("a%3E.ttl", ...iris, ...hostile.map((value) => says(LAMP, literal(value))))]);
	assert.deepEqual(said("a%3E.ttl").toSorted(), [...hostile, ...iris.map(() => "of an odd name")].toSorted());
	assert.equal(store.match(null, namedNode("x:b") as never).length, 0);
});

test("documents that a store refused are published by the next run, and accepted documents stay", async (t) => {
	let isFull = true;
	const { run, graphs } = await startStore(t, (sent) => (isFull && sent.includes("b.ttl") ? 507 : undefined));
	const small = document("a.ttl", says(LAMP, literal("x".repeat(600_000))));
	const big = document("b.ttl", says(LAMP, literal("y".repeat(600_000))));
	await assert.rejects(run([small, big]), { code: "ENDPOINT_FAILED", message: /answered 507\. Ask/ });
	assert.deepEqual(graphs(), [`${NAME}a.ttl`]);
	isFull = false;
	assert.deepEqual((await run([small, big])).unchanged, 1);
	assert.equal(graphs().length, 2);
});
