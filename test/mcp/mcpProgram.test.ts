import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Answer } from "../../src/core/knowledge/knowledge.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { never, startIn, unheard } from "../worker/workerProcess.ts";
import { type Files, makeWorkspace, type Workspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, runMcp, startMcp, textOf } from "./mcpProgram.ts";
import { startRawMcp } from "./rawMcp.ts";

const FILES: Files = { ...LIGHTHOUSE, ...KEEPER };

async function open(t: TestContext, files: Files = FILES) {
	const workspace = await makeWorkspace(t, files);
	return { workspace, ...(await startMcp(t, workspace)) };
}

async function ownerOf({ dataFolder }: Workspace): Promise<number> {
	return JSON.parse(await readFile(join(dataFolder, "indexer.lock"), "utf8")).pid;
}

test("a program answers its client", async (t) => {
	const { workspace, client, call, search } = await open(t);

	await t.test("nothing is indexed before somebody asks", async () => {
		await assert.rejects(readdir(workspace.dataFolder), { code: "ENOENT" });
		await search("lamp");
		assert.ok((await readdir(workspace.dataFolder)).includes("index"));
	});

	await t.test("every tool is offered, and says whether it only reads", async () => {
		const { tools } = await client.listTools();
		assertMapped(
			tools,
			({ name, annotations, outputSchema }) => [name, annotations?.readOnlyHint, !!outputSchema],
			[
				["search_knowledge", true, true],
				["read_resource", true, true],
				["query_graph", true, true],
				["describe_ontology", true, true],
				["run_with_orchestrator", false, true],
				["run_agent", false, true],
				["list_agents", true, true],
				["evaluate_prompt", true, true],
				["ask", true, true],
			],
		);
	});

	await t.test("a search gives hits to programs and citations to models", async () => {
		const result = await call("search_knowledge", { query: "When is the lamp lit?", limit: 1 });
		assert.match(textOf(result), /^\[lighthouses\.md:3\] /m);
		const { hits, answer, total, truncated } = result.structuredContent as Record<string, unknown>;
		const lines = { start: 3, end: 3 };
		const [{ id, score, why, ...hit }] = hits as [Record<string, unknown>];
		assert.deepEqual(hit, {
			uri: workspace.uri("lighthouses.md"),
			path: "lighthouses.md",
			lines,
			title: "Lighthouses",
			text: "The lamp of Skagen is lit at dusk.",
			sections: [{ title: "Lighthouses", form: "prose", lines, text: "The lamp of Skagen is lit at dusk." }],
		});
		const [quote] = (answer as Answer).quotes;
		assert.deepEqual(quote?.citation, { path: "lighthouses.md", lines });
		assert.ok(typeof id === "string" && typeof score === "number" && typeof why === "object");
		assert.deepEqual([total, truncated], [1, true]);
	});

	await t.test("a wrong call is answered in words that a model can use", async () => {
		const empty = await call("search_knowledge", { query: "" });
		assert.equal(empty.isError, true);
		assert.deepEqual(empty._meta?.["copilot-ld/error"], { code: "BAD_INPUT", message: textOf(empty) });
		assert.match(textOf(empty), /Wrong input.*query/s);
		const unknown = await call("read_resource", { target: "lighthouse.md" });
		assert.equal(unknown.isError, true);
		assert.match(textOf(unknown), /Nearest: lighthouses\.md/);
		await assert.rejects(call("remember", { text: "x" }), /There is no tool remember/);
	});
});

test("a program that stays follows its files and starts its worker again", async (t) => {
	const { workspace, search, untilPaths, errors } = await open(t);
	await search("lamp");

	await t.test("files that are made, moved and deleted are followed", async () => {
		await workspace.write({ "new/deep/zebra.md": "# Zebra\n\nStripes.\n" });
		await untilPaths("zebra", ([first]) => first === "new/deep/zebra.md");
		await workspace.write({ "new/deep/okapi.md": "# Okapi\n\nShy.\n" });
		await untilPaths("okapi", ([first]) => first === "new/deep/okapi.md");
		await workspace.move("new/deep", "old");
		await untilPaths("zebra", (paths) => paths[0] === "old/zebra.md" && !paths.includes("new/deep/zebra.md"));
		await workspace.write({ "old/gnu.md": "# Gnu\n\nHerds.\n" });
		await untilPaths("gnu", ([first]) => first === "old/gnu.md");
		await workspace.remove("old");
		await untilPaths("zebra", (paths) => paths.every((path) => !path.startsWith("old/")));
	});

	await t.test("a worker that dies is started again by the next question", async () => {
		process.kill(await ownerOf(workspace), "SIGKILL");
		await workspace.write({ "storm.md": "# Storm\n\nThe storm of 1902.\n" });
		const asked = () => search("storm of 1902").catch(() => undefined);
		for (let answer = await asked(); answer?.hits[0]?.path !== "storm.md"; ) answer = await asked();
		assert.match(errors(), /The worker stopped/);
	});
});

test("the index is the one of a worker that runs at the same time, is taken over after it, and found by the next", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const worker = await startIn(t, workspace);
	await worker.knowledge.index({ rebuild: false }, unheard, never);
	const { call, search, close } = await startMcp(t, workspace);
	const query = { query: "lamp", limit: 8, door: "chat", wantsAnswer: true } as const;
	const { hits } = await worker.knowledge.search(query, never);
	assert.deepEqual((await search("lamp")).hits, hits);
	assert.match(textOf(await call("search_knowledge", { query: "lamp" })), /Another program keeps this index/);
	await worker.stop();
	await workspace.write({ "storm.md": "# Storm\n\nThe storm of 1902.\n" });
	assert.equal((await search("storm of 1902")).hits[0]?.path, "storm.md");
	assert.notEqual(await ownerOf(workspace), worker.process.pid);
	await close();
	const next = await startIn(t, workspace);
	const report = await next.knowledge.index({ rebuild: false }, unheard, never);
	assert.deepEqual([report.indexed, report.unchanged], [0, 3]);
});

test("several folders are one knowledge, globs keep files out, and a client can have words only", async (t) => {
	const draft = { "draft.tmp.md": "# Draft\n\nThe lamp is out.\n" };
	const workspace = await makeWorkspace(t, { ...FILES, ...draft });
	const other = await makeWorkspace(t, { "b.md": "# Bread\n\nRye.\n" });
	const options = ["--workspace", other.root, "--exclude=**/*.tmp.md", "--text-only"];
	const { client, call } = await startMcp(t, workspace, ...options);
	const { tools } = await client.listTools();
	assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
	const bread = await call("search_knowledge", { query: "bread rye" });
	assert.equal(bread.structuredContent, undefined);
	assert.match(textOf(bread), /\n\n\[files \(2\)\/b\.md:3\] /);
	const lamp = textOf(await call("search_knowledge", { query: "The lamp is out" }));
	assert.match(lamp, /\[files\/lighthouses\.md:3\] /);
	assert.doesNotMatch(lamp, /draft\.tmp/);
});

test("without a client the program says why it does not start, or with --help where the index is by default", async (t) => {
	const refused = await runMcp(["--workspace", "no/such/folder"]);
	assert.deepEqual([refused.out, refused.code], ["", 2]);
	assert.match(refused.errors, /no[/\\]such[/\\]folder is not a folder[\s\S]*Try --help\./);
	const { root } = await makeWorkspace(t);
	const help = await runMcp(["--help"], { XDG_CACHE_HOME: root, LOCALAPPDATA: root });
	assert.equal(help.code, 0);
	assert.match(help.out, /--workspace DIR/);
	if (process.platform !== "darwin") assert.ok(help.out.includes(join(root, "copilot-ld")));
});

test("without --data the index of a workspace is kept among the user's caches", async (t) => {
	const [{ root }, cache] = [await makeWorkspace(t, FILES), await makeWorkspace(t)];
	const env = { XDG_CACHE_HOME: cache.root, LOCALAPPDATA: cache.root, HOME: cache.root };
	const mcp = startRawMcp({ root }, env);
	await mcp.introduce();
	assert.equal((await mcp.search(2, "lamp")).id, 2);
	mcp.child.stdin.end();
	assert.equal(await mcp.next(), null, "every line is one of the protocol");
	const names = await readdir(cache.root, { recursive: true });
	assert.ok(names.some((name) => /copilot-ld[/\\][0-9a-f]{16}[/\\]index$/.test(name)));
});
