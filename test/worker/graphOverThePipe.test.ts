import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import type { GraphResult } from "../../src/core/knowledge/graph.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { portOf } from "../support/listening.ts";
import { never, startIn } from "./workerProcess.ts";
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
	await worker.index();
	const ask = (sparql: string) => worker.graph.query({ sparql, door: "chat" }, never);
	return { ...worker, workspace, ask };
}

const AWARDS = "SELECT ?award { ?person <https://schema.org/award> ?award }";

function awardsIn({ answer }: GraphResult) {
	return answer.kind === "rows" ? answer.rows.map(({ award }) => award?.value) : assert.fail(answer.kind);
}

test("a query gives rows with the lines that state them, and follows an edit of the files", async (t) => {
	const { ask, index, workspace } = await open(t);
	const first = await ask(AWARDS.replace("?award {", "?person ?award {"));
	assert.deepEqual(awardsIn(first), ["Medal of 1902"]);
	assert.deepEqual(first.sources, [{ path: "museum.ttl", lines: { start: 2, end: 2 } }]);
	await workspace.remove("museum.ttl");
	await index();
	assert.deepEqual(awardsIn(await ask(AWARDS)), []);
});

test("an answer is partial while the index may be behind the files", async (t) => {
	const { ask, search, catalog } = await open(t);
	const isPartial = async () => {
		const { isPartial = false } = await ask(AWARDS);
		const { extent } = await search("How many awards are there?");
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
	const { ask, knowledge } = await open(t);
	const { parts, links } = await knowledge.read({ target: "https://a.example/anna", door: "chat" }, never);
	assertMapped(parts, ({ path }) => path, ["anna.ttl", "museum.ttl"]);
	assert.ok(links.some((line) => line.includes("the same as: https://b.example/holm")));
	const { answer } = await ask("SELECT ?a { <https://a.example/anna> ?p ?a }");
	assert.ok(answer.kind === "rows" && !answer.rows.some(({ a }) => a?.value === "Medal of 1902"));
});

test("an endpoint answers in place of the files, and a wrong address fails nothing but the graph", async (t) => {
	const server = createServer((_request, response) => {
		response.setHeader("content-type", "application/sparql-results+json");
		const award = { type: "literal", value: "Medal of the endpoint" };
		response.end(JSON.stringify({ head: { vars: ["award"] }, results: { bindings: [{ award }] } }));
	});
	const { ask } = await open(t, `http://127.0.0.1:${await portOf(t, server)}/sparql`);
	const result = await ask(AWARDS);
	assert.deepEqual(awardsIn(result), ["Medal of the endpoint"]);
	assert.equal(result.notices.length, 1);
	const broken = await open(t, "not an address");
	await assert.rejects(broken.ask(AWARDS), { code: "BAD_INPUT" });
	assert.ok((await broken.search("medal")).hits.length > 0);
});

test("a large graph is read for the first answer, and the next one says nothing of it", async (t) => {
	const values = Array.from({ length: 100 }, (_, at) => at).join(", ");
	const statementsOf = (at: number) => `<http://e.org/${at}> <http://e.org/p> ${values} .`;
	const statements = Array.from({ length: 210 }, (_, at) => statementsOf(at));
	const workspace = await makeWorkspace(t, { "large.ttl": statements.join("\n") });
	const first = await startIn(t, workspace);
	const { failed, skipped } = await first.index();
	assert.equal(failed + skipped, 0);
	await first.stop();
	const { graph } = await startIn(t, workspace);
	const query = { sparql: "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }", door: "chat" } as const;
	const { notices, answer } = await graph.query(query, never);
	assert.equal(answer.kind === "rows" && answer.rows[0]?.["count"]?.value, "21000");
	assertNone(notices.filter((notice) => !notice.startsWith("The graph was read for this answer first")));
	assert.deepEqual((await graph.query(query, never)).notices, []);
});

test("what of a file could not be read is told wherever the file is looked at", async (t) => {
	const { index, workspace, catalog } = await open(t);
	await workspace.write({ "data/broken.jsonld": '{\n "@id": "urn:x",\n' });
	const { contents } = await index();
	assert.deepEqual([contents.documents, contents.flawed], [3, 1]);
	const uri = workspace.uri("data/broken.jsonld");
	const [found] = await catalog.problems("files", never);
	const { severity, message = "", lines } = found?.problems[0] ?? {};
	assert.deepEqual([found?.uri, severity], [uri, "error"]);
	assert.ok((await catalog.explain(uri, never)).endsWith(` line ${lines?.start}: ${message}`));
	const { folders } = await catalog.browse(workspace.folder.uri, never);
	assertMapped(folders, ({ indexed, flawed }) => [indexed, flawed], [[1, 1]]);
});
