import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { listed } from "../support/listed.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";
import { type Files, makeWorkspace, never, startIn, unheard, type Workspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, type McpProgram, runMcp, startMcp, textOf } from "./mcpProgram.ts";

const FILES: Files = { ...LIGHTHOUSE, ...KEEPER };

async function open(t: TestContext, files: Files = FILES) {
	const workspace = await makeWorkspace(t, files);
	return { workspace, ...(await startMcp(t, workspace)) };
}

async function ownerOf({ dataFolder }: Pick<Workspace, "dataFolder">): Promise<number> {
	return JSON.parse(await readFile(join(dataFolder, "indexer.lock"), "utf8")).pid;
}

const onceBuilt = (search: () => ReturnType<McpProgram["call"]>) =>
	untilIt(search, (result) => !textOf(result).includes("still being built"));

const TOOLS = `
	search_knowledge reads | read_resource reads | query_graph reads | describe_ontology reads | run_with_orchestrator acts
	run_agent acts | list_agents reads | evaluate_prompt reads | ask reads
`;

test("a program lists its tools, indexes on the first call, and answers valid and invalid calls", async (t) => {
	const { workspace, client, call } = await open(t);
	const { tools } = await client.listTools();
	assertMapped(tools, ({ name, annotations }) => `${name} ${annotations?.readOnlyHint ? "reads" : "acts"}`, [
		...listed(TOOLS),
	]);
	assert.ok(tools.every(({ outputSchema }) => outputSchema));
	await assert.rejects(readdir(workspace.dataFolder), { code: "ENOENT" });
	const lit = { query: "When is the lamp lit?", limit: 1 };
	const result = await onceBuilt(() => call("search_knowledge", lit));
	assert.ok((await readdir(workspace.dataFolder)).includes("index"));
	assert.match(textOf(result), /^\[lighthouses\.md:3\] /m);
	const { hits } = result.structuredContent as { hits: object[] };
	assert.partialDeepStrictEqual(hits[0], {
		uri: workspace.uri("lighthouses.md"),
		lines: { start: 3, end: 3 },
	});
	const empty = await call("search_knowledge", { query: "" });
	assert.equal(empty.isError, true);
	assert.deepEqual(empty._meta?.["copilot-ld/error"], { code: "BAD_INPUT", message: textOf(empty) });
	assert.match(textOf(empty), /Wrong input.*query/s);
	await assert.rejects(call("remember", { text: "x" }), /There is no tool remember/);
});

test("a running program follows file changes and restarts a dead worker", async (t) => {
	const { workspace, search, untilPaths, errors } = await open(t);
	await search("lamp");
	await workspace.write({ "new/deep/zebra.md": "# Zebra\n\nStripes.\n" });
	await untilPaths("zebra", ([first]) => first === "new/deep/zebra.md");
	await workspace.move("new/deep", "old");
	await untilPaths("zebra", (paths) => paths[0] === "old/zebra.md" && !paths.includes("new/deep/zebra.md"));
	await workspace.write({ "old/gnu.md": "# Gnu\n\nHerds.\n" });
	await untilPaths("gnu", ([first]) => first === "old/gnu.md");
	await workspace.remove("old");
	await untilPaths("zebra", (paths) => paths.every((path) => !path.startsWith("old/")));
	process.kill(await ownerOf(workspace), "SIGKILL");
	await workspace.write({ "storm.md": "# Storm\n\nThe storm of 1902.\n" });
	const asked = () => search("storm of 1902").catch(() => undefined);
	await untilIt(asked, (answer) => answer?.hits[0]?.path === "storm.md");
	assert.match(errors(), /The worker stopped/);
});

test("the program shares the index of a concurrent worker, and a later program finds it", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const worker = await startIn(t, workspace);
	await worker.knowledge.index({ rebuild: false }, unheard, never);
	const { call, search, close } = await startMcp(t, workspace);
	const query = { query: "lamp", limit: 8, channel: "chat", wantsAnswer: true, mostWords: 120 } as const;
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

test("several folders form one knowledge base, globs exclude files, and results can be text only", async (t) => {
	const draft = { "draft.tmp.md": "# Draft\n\nThe lamp is out.\n" };
	const workspace = await makeWorkspace(t, { ...FILES, ...draft });
	const other = await makeWorkspace(t, { "b.md": "# Bread\n\nRye.\n" });
	const options = ["--workspace", other.root, "--exclude=**/*.tmp.md", "--text-only"];
	const { client, call } = await startMcp(t, workspace, ...options);
	const { tools } = await client.listTools();
	assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
	const bread = await onceBuilt(() => call("search_knowledge", { query: "bread rye" }));
	assert.equal(bread.structuredContent, undefined);
	assert.match(textOf(bread), /\n\n\[files \(2\)\/b\.md:3\] /);
	const lamp = textOf(await call("search_knowledge", { query: "The lamp is out" }));
	assert.match(lamp, /\[files\/lighthouses\.md:3\] /);
	assert.doesNotMatch(lamp, /draft\.tmp/);
});

test("the default index is in the user's cache, as --help states; a failed start prints the reason", async (t) => {
	const refused = await runMcp(["--workspace", "no/such/folder"]);
	assert.deepEqual([refused.out, refused.code], ["", 2]);
	assert.match(refused.errors, /no[/\\]such[/\\]folder is not a folder[\s\S]*Try --help\./);
	const [{ root }, cache] = [await makeWorkspace(t, FILES), await makeWorkspace(t)];
	const env = { XDG_CACHE_HOME: cache.root, LOCALAPPDATA: cache.root, HOME: cache.root };
	const help = await runMcp(["--help"], env);
	assert.equal(help.code, 0);
	assert.match(help.out, /--workspace DIR/);
	if (process.platform !== "darwin") assert.ok(help.out.includes(join(cache.root, "copilot-ld")));
	const { search, close } = await startMcp(t, { root, env });
	await search("lamp");
	await close();
	const names = await readdir(cache.root, { recursive: true });
	assert.ok(names.some((name) => /copilot-ld[/\\][0-9a-f]{16}[/\\]index$/.test(name)));
});

const clientInfo = { name: "raw", version: "1" };
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
/** Lines of a client that asks one question without reading the answers. */
const ASKING = [
	{ id: 1, method: "initialize", params },
	{ method: "notifications/initialized" },
	{ id: 2, method: "tools/call", params: { name: "search_knowledge", arguments: { query: "lamp" } } },
].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const [, , SEARCH = ""] = ASKING;

/** Starts a program over bare pipes that has answered a question; returns it with its processes. */
async function openAsked(t: TestContext) {
	const { root, dataFolder } = await makeWorkspace(t, LIGHTHOUSE);
	const args = [MCP_PROGRAM, "--workspace", root, "--data", dataFolder];
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	t.after(() => child.kill("SIGKILL"));
	// These tests break the pipe on purpose.
	child.stdin.on("error", () => undefined);
	child.stdin.write(ASKING.join(""));
	for await (const line of createInterface(child.stdout)) {
		const { id, result } = JSON.parse(line);
		if (id === 2) {
			assert.match(JSON.stringify(result), /lamp/);
			break;
		}
	}
	return { child, pids: [child.pid ?? 0, await ownerOf({ dataFolder })] };
}

const ENDS: Readonly<Record<string, (child: Awaited<ReturnType<typeof openAsked>>["child"]) => unknown>> = {
	"ends its input during an answer": (child) => child.stdin.end(SEARCH),
	"ends its input in the middle of a long line": (child) => child.stdin.end("x".repeat(50_000_000)),
	"kills the program": (child) => child.kill("SIGKILL"),
	"closes the pipe of the answers and asks again": (child) => {
		child.stdout.destroy();
		child.stdin.write('{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n');
	},
};

for (const [what, end] of Object.entries(ENDS))
	test(`the program and its worker end when the client ${what}`, async (t) => {
		const { child, pids } = await openAsked(t);
		assert.ok(pids.every(isAlive));
		const exited = once(child, "exit");
		end(child);
		assert.deepEqual(await exited, child.killed ? [null, "SIGKILL"] : [0, null]);
		await untilIt(async () => !pids.some(isAlive), Boolean);
	});
