import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { untilIt } from "../support/untilIt.ts";
import { makeWorkspace, type Workspace } from "../worker/workspace.ts";
import { LIGHTHOUSE } from "./mcpProgram.ts";
import { type RawMcp, startRawMcp } from "./rawMcp.ts";

/** Bytes of a line that no client should send. */
const HUGE = 50_000_000;

async function open(t: TestContext) {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const mcp = startRawMcp(workspace);
	t.after(() => mcp.child.kill("SIGKILL"));
	await mcp.introduce();
	return { workspace, mcp };
}

async function openAsked(t: TestContext) {
	const { workspace, mcp } = await open(t);
	await checkAnswers(mcp, 2);
	const pids = [mcp.child.pid ?? 0, await workerOf(workspace)];
	return { mcp, pids };
}

async function workerOf({ dataFolder }: Pick<Workspace, "dataFolder">): Promise<number> {
	return JSON.parse(await readFile(join(dataFolder, "indexer.lock"), "utf8")).pid;
}

/** On a busy machine the first answers rest on the files that were read so far. */
async function checkAnswers(mcp: RawMcp, id: number): Promise<void> {
	await untilIt(
		() => mcp.search(id, "When is the lamp lit?"),
		(answer) => {
			assert.equal(answer.id, id);
			return answer.result?.content?.[0]?.text.includes("lighthouses.md:3") ?? false;
		},
	);
}

/** Comes back when none of them is there; the test runner's limit ends what never comes. */
async function untilGone(pids: readonly number[]): Promise<void> {
	await untilIt(
		async () => pids.some(isAlive),
		(isAnyThere) => !isAnyThere,
	);
}

const filler = Buffer.alloc(HUGE, "x");

test("a program outlives lines that are no messages", async (t) => {
	const { mcp } = await open(t);

	await t.test(
		"a line of 50 MB is refused under its id, wherever that stands, and the next one is answered",
		async () => {
			for (const [head, tail, id] of [
				['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"', '"}\n', 7],
				['{"method":"tools/call","params":{"a":"', '"},"jsonrpc":"2.0","id":"eight"}\n', "eight"],
				['{"params":{"id":9,"a":"', '"},"id":10,"jsonrpc":"2.0"}\n', 10],
				['{"params":{"a":"', '","id":9}}\n', null],
			] as const) {
				const written = mcp.write(Buffer.concat([Buffer.from(head), filler, Buffer.from(tail)]));
				const { error, ...answer } = await mcp.next();
				await written;
				assert.deepEqual([answer.id, error?.code], [id, -32600]);
				assert.match(error?.message ?? "", /longer than 1000000 bytes.*shorter/);
			}
			await checkAnswers(mcp, 11);
		},
	);

	await t.test(
		"lines that are no messages are refused one by one, and the next one is answered",
		async () => {
			const garbage = [
				...["x", "{", '"', "[".repeat(900_000), "\u0000\u0001", "null", "[]", '{"id":3}', '{"id":4}'],
				...Array.from({ length: 200 }, () =>
					randomBytes(1000)
						.toString("latin1")
						.replaceAll(/[\n\r]/g, ""),
				),
			];
			const written = mcp.write(Buffer.from(garbage.map((line) => `${line}\n`).join(""), "latin1"));
			const answers = [];
			for (const _line of garbage) answers.push(await mcp.next());
			await written;
			assert.ok(answers.every(({ error }) => error?.code === -32700 || error?.code === -32600));
			assert.deepEqual(
				answers.map(({ id }) => id).filter((id) => id !== null),
				[3, 4],
			);
			await checkAnswers(mcp, 5);
		},
	);
});

type End = (mcp: RawMcp) => unknown;

const endsAtWork: Record<string, End> = {
	"ends its input": ({ child }) => child.stdin.end(),
	"closes both pipes": ({ child }) => {
		child.stdin.destroy();
		child.stdout.destroy();
	},
	"ends its input while it is being answered": (mcp) => {
		void mcp.search(3, "lamp");
		mcp.child.stdin.end();
	},
};

const ends: Record<string, End> = {
	"ends its input in the middle of a line": ({ child }) => child.stdin.end('{"jsonrpc":"2.0","id":3'),
	"ends its input in the middle of a long line": ({ child }) => child.stdin.end(filler),
	"ends its input after a long line": ({ child }) =>
		child.stdin.end(Buffer.concat([filler, Buffer.from("\n")])),
	"does not want the answer to a long line": ({ child }) => {
		child.stdout.destroy();
		child.stdin.write(Buffer.concat([filler, Buffer.from("\n")]));
	},
	"closes the pipe of the answers and asks again": (mcp) => {
		mcp.child.stdout.destroy();
		void mcp.write('{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n');
	},
};

for (const [what, end] of Object.entries(endsAtWork)) {
	test(`when the client ${what}, the program ends with its worker`, async (t) => {
		const { mcp, pids } = await openAsked(t);
		assert.ok(pids.every(isAlive));
		const exited = once(mcp.child, "exit");
		end(mcp);
		assert.deepEqual(await exited, [0, null]);
		await untilGone(pids);
	});
}

for (const [what, end] of Object.entries(ends)) {
	test(`when the client ${what}, the program ends`, async (t) => {
		const { mcp } = await open(t);
		const exited = once(mcp.child, "exit");
		end(mcp);
		assert.deepEqual(await exited, [0, null]);
	});
}

test("when the program is killed, its worker ends", async (t) => {
	const { mcp, pids } = await openAsked(t);
	mcp.child.kill("SIGKILL");
	await untilGone(pids);
});
