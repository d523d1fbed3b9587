import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { GraphResult } from "../../src/core/knowledge/graph.ts";
import type { Person } from "../../src/core/session/memory.ts";
import { diagnose, filesChanged, foldersChanged, sessionsChanged } from "../../src/protocol/worker.ts";
import { serve, writeBody } from "../graph/endpoint/endpointServer.ts";
import { BERIT, conversation, WORKSPACE } from "../sessions/turns.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { agent } from "./agents/agentWorkspace.ts";
import { type Files, makeWorkspace, never, startIn, startIndexed, type Workspace } from "./workspace.ts";

test("the worker lists agents, reports changes of agents, and follows changes of folders", async (t) => {
	const workspace = await makeWorkspace(t, { ".github/agents/a.md": agent("a") });
	const { connection, agents } = await startIn(t, workspace);
	const names = async () => {
		const registry = await agents.registry(never);
		return registry.agents.filter(({ source }) => source.level === "workspace").map(({ name }) => name);
	};
	assert.deepEqual(await names(), ["a"]);
	const ending = new AbortController();
	let changed = Promise.withResolvers<void>();
	const watching = agents.watch(() => changed.resolve(), ending.signal);
	await workspace.write({ ".github/agents/b.md": agent("b") });
	await connection.sendNotification(filesChanged, { uris: [workspace.uri(".github/agents/b.md")] });
	await changed.promise;
	assert.deepEqual(await names(), ["a", "b"]);
	changed = Promise.withResolvers();
	await connection.sendNotification(foldersChanged, [{ ...workspace.folder, isExtra: true }]);
	await changed.promise;
	assert.deepEqual(await names(), []);
	ending.abort();
	await assert.rejects(watching, { name: "AbortError" });
});

test("the worker ranks agents for tasks by words and meaning, without an index", async (t) => {
	const described = (name: string, description: string, persona: string) =>
		`---\nname: ${name}\ndescription: ${description}\n---\n${persona}\n`;
	const workspace = await makeWorkspace(t, {
		".github/agents/a.md": described("poet", "Translates poems into French", "You love Rilke."),
		".github/agents/b.md": described("Test Writer", "Writes unit tests", "Use the mocha runner."),
	});
	const { agents } = await startIn(t, workspace);
	const tasks = ["Increase the test coverage with mocha", "Übersetze ein Gedicht von Rilke"];
	const [tests = [], poems = []] = await agents.fits(tasks, never);
	const order = (fits: typeof tests) => fits.map(({ agent }) => agent).join();
	assert.deepEqual([tests, poems].map(order), ["Test Writer,poet", "poet,Test Writer"]);
	const { aimed, instructed, score = 0, aim = 0, meaning = 0 } = tests[0] ?? {};
	assert.deepEqual([aimed, instructed, poems[0]?.instructed], [["test"], ["mocha"], ["Rilke"]]);
	assert.ok(score > 0.2 && aim > 0.2 && meaning > 0.2, `${score}, ${aim}, ${meaning}`);
	assert.deepEqual(await agents.fits(tasks, never), [tests, poems]);
	await workspace.write({ ".github/agents/a.md": described("poet", "Writes mocha tests and coverage", "") });
	assert.equal((await agents.fits(tasks, never))[0]?.[0]?.agent, "poet");
});

const CLOCK = conversation([["Who winds the clock?", "The second keeper."]]);

async function openFor(t: TestContext, workspace: Workspace, person: Person = BERIT) {
	return startIn(t, workspace, { sessionsFolder: join(workspace.dataFolder, "..", "sessions"), person });
}

test("sessions and memory work over the pipe, survive a crash of the worker, and are hidden from other users", async (t) => {
	const workspace = await makeWorkspace(t);
	const first = await openFor(t, workspace);
	const { promise: heard, resolve } = Promise.withResolvers<void>();
	first.connection.onNotification(sessionsChanged, () => resolve());
	await first.sessions.append("clock", CLOCK, never);
	await heard;
	const oil = { text: "The lamp burns oil.", scope: "user", source: { by: "person" } } as const;
	const { fact } = await first.memory.remember(oil, never);
	await first.kill();
	const { sessions, memory } = await openFor(t, workspace);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
	assert.equal((await sessions.read("clock", never)).turns[0]?.answer, "The second keeper.");
	assert.equal((await sessions.search({ text: "winding clocks", limit: 1 }, never))[0]?.session.id, "clock");
	const query = { query: "lamp oil", workspace: WORKSPACE, channel: "chat" } as const;
	assert.equal((await memory.recall(query, never))[0]?.fact?.id, fact.id);
	await assert.rejects(sessions.read("../clock", never), { name: "Failure", code: "BAD_INPUT" });
	const cleo = await openFor(t, workspace, { source: "github", id: "7", label: "cleo" });
	assert.equal((await cleo.sessions.list({ limit: 9 }, never)).total, 0);
});

test("a worker with a broken index still serves sessions, and records the failure", async (t) => {
	const workspace = await makeWorkspace(t);
	await mkdir(workspace.dataFolder, { recursive: true });
	await writeFile(join(workspace.dataFolder, "index"), "a file in its place");
	const { sessions, search, connection, kill } = await openFor(t, workspace);
	await assert.rejects(search("clock"));
	const { entries } = await connection.sendRequest(diagnose, {});
	assertMapped(entries, ({ event, level, facts }) => [event, level, typeof facts?.["outcome"]], [
		["copilot-ld/knowledge/search", "warn", "string"],
	]);
	await sessions.append("clock", CLOCK, never);
	assert.equal((await sessions.read("clock", never)).turns.length, 1);
	await kill();
	await assert.rejects(sessions.read("clock", never), { code: "WORKER_STOPPED" });
});

const FILES: Files = {
	"anna.ttl": "<https://a.example/anna> <http://www.w3.org/2002/07/owl#sameAs> <https://b.example/holm> .\n",
	"museum.ttl":
		'# Crew\n<https://b.example/holm> a <urn:Person> ; <https://schema.org/award> "Medal of 1902" .\n',
};

async function openGraph(t: TestContext, graphEndpoint?: string) {
	const worker = await startIndexed(t, FILES, graphEndpoint ? { graphEndpoint } : {});
	const ask = (sparql: string) => worker.graph.query({ sparql, channel: "chat" }, never);
	return { ...worker, ask };
}

const AWARDS = "SELECT ?award { ?person <https://schema.org/award> ?award }";

function awardsIn({ answer }: GraphResult) {
	return answer.kind === "rows" ? answer.rows.map(({ award }) => award?.value) : assert.fail(answer.kind);
}

test("a query returns rows with sources, is partial while indexing is paused, and follows edits", async (t) => {
	const { ask, index, workspace, search, catalog, knowledge } = await openGraph(t);
	const first = await ask(AWARDS.replace("?award {", "?person ?award {"));
	assert.deepEqual(awardsIn(first), ["Medal of 1902"]);
	assert.deepEqual(first.sources, [{ path: "museum.ttl", lines: { start: 2, end: 2 } }]);
	for (const isPaused of [false, true, false]) {
		await catalog.pause(isPaused, never);
		assert.equal((await ask(AWARDS)).isPartial ?? false, isPaused);
		const { extent } = await search("How many awards are there?");
		assert.equal(extent, isPaused ? "read" : undefined);
	}
	// Reading a thing includes statements about its other ids.
	const { parts, links } = await knowledge.read({ target: "https://a.example/anna", channel: "chat" }, never);
	assertMapped(parts, ({ path }) => path, ["anna.ttl", "museum.ttl"]);
	assert.ok(links.some((line) => line.includes("the same as: https://b.example/holm")));
	assert.deepEqual(awardsIn(await ask(AWARDS.replace("?person", "<https://a.example/anna>"))), []);
	await workspace.remove("museum.ttl");
	await index();
	assert.deepEqual(awardsIn(await ask(AWARDS)), []);
});

test("an endpoint answers graph queries in place of the files; an invalid address fails only graph queries", async (t) => {
	const award = { type: "literal", value: "Medal of the endpoint" };
	const body = JSON.stringify({ head: { vars: ["award"] }, results: { bindings: [{ award }] } });
	const { host } = await serve(t, writeBody("application/sparql-results+json", body));
	const { ask } = await openGraph(t, `http://${host}/sparql`);
	const result = await ask(AWARDS);
	assert.deepEqual(awardsIn(result), ["Medal of the endpoint"]);
	assert.equal(result.notices.length, 1);
	const broken = await openGraph(t, "not an address");
	await assert.rejects(broken.ask(AWARDS), { code: "BAD_INPUT" });
	assert.ok((await broken.search("medal")).hits.length > 0);
});

test("a problem of a file is in the file's listing, in its explanation and in the list of problems", async (t) => {
	const { index, workspace, catalog } = await openGraph(t);
	await workspace.write({ "data/broken.jsonld": '{\n "@id": "urn:x",\n' });
	const { documents, flawed } = (await index()).contents;
	assert.deepEqual([documents, flawed], [3, 1]);
	const uri = workspace.uri("data/broken.jsonld");
	const [found] = await catalog.problems("files", never);
	const [{ severity, message, lines } = assert.fail("no problem")] = found?.problems ?? [];
	assert.deepEqual([found?.uri, severity], [uri, "error"]);
	assert.ok((await catalog.explain(uri, never)).endsWith(` line ${lines.start}: ${message}`));
	const { folders } = await catalog.browse(workspace.folder.uri, never);
	assert.partialDeepStrictEqual(folders, [{ indexed: 1, flawed: 1 }]);
});
