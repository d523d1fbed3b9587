import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { assertNone } from "../support/assertNone.ts";
import { portOf } from "../support/listening.ts";
import { never, startIn, unheard } from "./workerProcess.ts";
import { type Files, makeWorkspace } from "./workspace.ts";

const FILES: Files = {
	"anna.ttl": `@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix schema: <https://schema.org/> .
<https://a.example/anna> a schema:Person ; schema:name "Anna Holm" ; owl:sameAs <https://b.example/holm> .
`,
	"museum.ttl": `@prefix schema: <https://schema.org/> .
<https://b.example/holm> a schema:Person ; schema:name "A. Holm" ; schema:award "Medal of 1902" .
`,
};

async function open(t: TestContext, graphEndpoint?: string) {
	const workspace = await makeWorkspace(t, FILES);
	const worker = await startIn(t, workspace, graphEndpoint ? { graphEndpoint } : {});
	await worker.knowledge.index({ rebuild: false }, unheard, never);
	return { ...worker, workspace, graph: createPortsClient(worker.connection).graph };
}

const AWARDS = "SELECT ?award { ?person <https://schema.org/award> ?award }";

test("a query gives rows with the lines that state them, and follows an edit of the files", async (t) => {
	const { graph, knowledge, workspace } = await open(t);
	const first = await graph.query(
		{ sparql: AWARDS.replace("?award {", "?person ?award {"), door: "chat" },
		never,
	);
	assert.ok(first.answer.kind === "rows");
	assert.deepEqual(
		first.answer.rows.map(({ award }) => award?.value),
		["Medal of 1902"],
	);
	assert.deepEqual(first.sources, [{ path: "museum.ttl", lines: { start: 2, end: 2 } }]);
	await workspace.remove("museum.ttl");
	await knowledge.index({ rebuild: false }, unheard, never);
	const second = await graph.query({ sparql: AWARDS, door: "chat" }, never);
	assert.ok(second.answer.kind === "rows");
	assert.deepEqual(second.answer.rows, []);
});

test("an answer is partial while the index may be behind the files", async (t) => {
	const { graph, knowledge, connection } = await open(t);
	const { catalog } = createPortsClient(connection);
	const isPartial = async () => {
		const { isPartial = false } = await graph.query({ sparql: AWARDS, door: "chat" }, never);
		const { extent } = await knowledge.search({ query: "How many awards are there?", door: "chat" }, never);
		assert.equal(extent, isPartial ? "read" : undefined);
		return isPartial;
	};
	assert.equal(await isPartial(), false);
	await catalog.pause(true, never);
	assert.equal(await isPartial(), true);
	await catalog.pause(false, never);
	assert.equal(await isPartial(), false);
});

test("what is said of a thing under another of its ids is read with it, and the data stays apart", async (t) => {
	const { graph, knowledge } = await open(t);
	const { parts, links } = await knowledge.read({ target: "https://a.example/anna", door: "chat" }, never);
	assert.deepEqual(
		parts.map(({ path }) => path),
		["anna.ttl", "museum.ttl"],
	);
	assert.ok(links.some((line) => line.includes("the same as: https://b.example/holm")));
	const { answer } = await graph.query(
		{ sparql: "SELECT ?a { <https://a.example/anna> ?p ?a }", door: "chat" },
		never,
	);
	assert.ok(answer.kind === "rows" && !answer.rows.some(({ a }) => a?.value === "Medal of 1902"));
});

test("an endpoint answers in place of the files, and a wrong address fails nothing but the graph", async (t) => {
	const server = createServer((_request, response) => {
		response.setHeader("content-type", "application/sparql-results+json");
		const award = { type: "literal", value: "Medal of the endpoint" };
		response.end(JSON.stringify({ head: { vars: ["award"] }, results: { bindings: [{ award }] } }));
	});
	const { graph } = await open(t, `http://127.0.0.1:${await portOf(t, server)}/sparql`);
	const { answer, notices } = await graph.query({ sparql: AWARDS, door: "chat" }, never);
	assert.ok(answer.kind === "rows");
	assert.deepEqual(
		answer.rows.map(({ award }) => award?.value),
		["Medal of the endpoint"],
	);
	assert.equal(notices.length, 1);
	const broken = await open(t, "not an address");
	await assert.rejects(broken.graph.query({ sparql: AWARDS, door: "chat" }, never), { code: "BAD_INPUT" });
	assert.ok((await broken.knowledge.search({ query: "medal", door: "chat" }, never)).hits.length > 0);
});

test("a large graph is read for the first answer, and the next one says nothing of it", async (t) => {
	const values = Array.from({ length: 100 }, (_, at) => at).join(", ");
	const statements = Array.from(
		{ length: 210 },
		(_, at) => `<http://e.org/${at}> <http://e.org/p> ${values} .`,
	);
	const workspace = await makeWorkspace(t, { "large.ttl": statements.join("\n") });
	const first = await startIn(t, workspace);
	const { failed, skipped } = await first.knowledge.index({ rebuild: false }, unheard, never);
	assert.equal(failed + skipped, 0);
	await first.stop();
	const { graph } = createPortsClient((await startIn(t, workspace)).connection);
	const query = { sparql: "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }", door: "chat" } as const;
	const { notices, answer } = await graph.query(query, never);
	assert.equal(answer.kind === "rows" && answer.rows[0]?.["count"]?.value, "21000");
	assertNone(notices.filter((notice) => !notice.startsWith("The graph was read for this answer first")));
	assert.deepEqual((await graph.query(query, never)).notices, []);
});

test("what of a file could not be read is told wherever the file is looked at", async (t) => {
	const { knowledge, workspace, connection } = await open(t);
	await workspace.write({ "data/broken.jsonld": '{\n "@id": "urn:x",\n' });
	const { contents } = await knowledge.index({ rebuild: false }, unheard, never);
	assert.deepEqual([contents.documents, contents.flawed], [3, 1]);
	const { catalog } = createPortsClient(connection);
	const uri = workspace.uri("data/broken.jsonld");
	const [found] = await catalog.problems("files", never);
	const { severity, message = "", lines } = found?.problems[0] ?? {};
	assert.deepEqual([found?.uri, severity], [uri, "error"]);
	assert.ok((await catalog.explain(uri, never)).endsWith(` line ${lines?.start}: ${message}`));
	const { folders } = await catalog.browse(workspace.folder.uri, never);
	assert.deepEqual(
		folders.map(({ indexed, flawed }) => [indexed, flawed]),
		[[1, 1]],
	);
});
