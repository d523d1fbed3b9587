import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../../src/base/failure.ts";
import { createChangeQueue } from "../../../src/worker/indexing/changeQueue.ts";
import type { Indexer } from "../../../src/worker/indexing/indexer.ts";

const GATHER_MS = 50;
const STANDBY_MS = 5_000;

function open(t: TestContext) {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const runs: (readonly string[] | "all")[] = [];
	const answers: Error[] = [];
	const errors: unknown[] = [];
	const run = async (paths: readonly string[] | "all") => {
		runs.push(paths);
		const failure = answers.shift();
		if (failure) throw failure;
		return { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 0 };
	};
	const syncPaths: Indexer["syncPaths"] = (paths) => run(paths);
	const indexer: Pick<Indexer, "sync" | "syncPaths"> = { sync: () => run("all"), syncPaths };
	const queue = createChangeQueue(indexer, (thrown) => errors.push(thrown));
	t.after(queue.close);
	const pass = async (ms: number) => {
		t.mock.timers.tick(ms);
		await setImmediate();
	};
	return { queue, runs, answers, errors, pass };
}

test("changes that come together are brought in step together, rules and very many by a look at all files", async (t) => {
	const { queue, runs, pass } = open(t);
	queue.add(["/kb/a.md", "/kb/b.md"]);
	queue.add(["/kb/a.md"]);
	await pass(GATHER_MS);
	queue.add(["/kb/.gitignore"]);
	await pass(GATHER_MS);
	queue.add(Array.from({ length: 201 }, (_, at) => `/kb/${at}.md`));
	await pass(GATHER_MS);
	assert.deepEqual(runs, [["/kb/a.md", "/kb/b.md"], "all", "all"]);
});

test("while another process keeps the index, changes wait for its end, with those that come meanwhile", async (t) => {
	const { queue, runs, answers, errors, pass } = open(t);
	const busy = new Failure("BUSY", "Another program keeps this index.");
	answers.push(busy, busy);
	queue.add(["/kb/a.md"]);
	await pass(GATHER_MS);
	await pass(STANDBY_MS - 1);
	assert.deepEqual(runs, [["/kb/a.md"]]);
	queue.add(["/kb/b.md"]);
	await pass(GATHER_MS);
	await pass(STANDBY_MS);
	const both = ["/kb/a.md", "/kb/b.md"];
	assert.deepEqual(runs.slice(1), [both, both]);
	await pass(1_000_000);
	assert.deepEqual([runs.length, errors], [3, []]);
});

test("another failure is reported, and nothing waits after the end", async (t) => {
	const { queue, runs, answers, errors, pass } = open(t);
	const [broken, busy] = [new Error("broken"), new Failure("BUSY", "Busy.")];
	answers.push(broken, busy);
	queue.add(["/kb/a.md"]);
	await pass(GATHER_MS);
	await pass(STANDBY_MS);
	assert.deepEqual([runs.length, errors], [1, [broken]]);
	queue.add(["/kb/b.md"]);
	await pass(GATHER_MS);
	queue.close();
	await pass(STANDBY_MS);
	assert.equal(runs.length, 2);
});
