import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { untilIt } from "../support/untilIt.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE } from "./mcpProgram.ts";
import { type RawMcp, startRawMcp } from "./rawMcp.ts";

/** Bytes of a line that no client should send. */
const HUGE = 50_000_000;

/** A program that has answered a question, and its processes. */
async function openAsked(t: TestContext) {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const mcp = startRawMcp(workspace);
	t.after(() => mcp.child.kill("SIGKILL"));
	await mcp.introduce();
	// On a busy machine the first answers rest on the files that were read so far.
	await untilIt(
		() => mcp.search(2, "When is the lamp lit?"),
		({ result }) => result?.content?.[0]?.text.includes("lighthouses.md:3") ?? false,
	);
	const lock = await readFile(join(workspace.dataFolder, "indexer.lock"), "utf8");
	return { mcp, pids: [mcp.child.pid ?? 0, JSON.parse(lock).pid] };
}

/** Comes back when none of them is there; the test runner's limit ends what never comes. */
async function untilGone(pids: readonly number[]): Promise<void> {
	await untilIt(
		async () => pids.some(isAlive),
		(isAnyThere) => !isAnyThere,
	);
}

const filler = Buffer.alloc(HUGE, "x");

const ENDS: Readonly<Record<string, (mcp: RawMcp) => unknown>> = {
	"ends its input": ({ child }) => child.stdin.end(),
	"closes both pipes": ({ child }) => {
		child.stdin.destroy();
		child.stdout.destroy();
	},
	"ends its input while it is being answered": (mcp) => {
		void mcp.search(3, "lamp");
		mcp.child.stdin.end();
	},
	"ends its input in the middle of a long line": ({ child }) => child.stdin.end(filler),
	"does not want the answer to a long line": ({ child }) => {
		child.stdout.destroy();
		child.stdin.write(Buffer.concat([filler, Buffer.from("\n")]));
	},
	"closes the pipe of the answers and asks again": (mcp) => {
		mcp.child.stdout.destroy();
		void mcp.write('{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n');
	},
};

for (const [what, end] of Object.entries(ENDS))
	test(`when the client ${what}, the program ends with its worker`, async (t) => {
		const { mcp, pids } = await openAsked(t);
		assert.ok(pids.every(isAlive));
		const exited = once(mcp.child, "exit");
		end(mcp);
		assert.deepEqual(await exited, [0, null]);
		await untilGone(pids);
	});

test("when the program is killed, its worker ends", async (t) => {
	const { mcp, pids } = await openAsked(t);
	mcp.child.kill("SIGKILL");
	await untilGone(pids);
});
