import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE } from "./mcpProgram.ts";

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
		// Every line is a protocol message.
		const { id, result } = JSON.parse(line);
		if (id === 2) {
			assert.match(JSON.stringify(result), /lamp/);
			break;
		}
	}
	const lock = await readFile(join(dataFolder, "indexer.lock"), "utf8");
	return { child, pids: [child.pid ?? 0, JSON.parse(lock).pid] };
}

const ENDS: Readonly<Record<string, (child: Awaited<ReturnType<typeof openAsked>>["child"]) => unknown>> = {
	"ends its input": (child) => child.stdin.end(),
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
		await untilIt(
			async () => pids.filter(isAlive),
			({ length }) => length === 0,
		);
	});
