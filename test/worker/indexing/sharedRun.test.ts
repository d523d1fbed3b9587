import assert from "node:assert/strict";
import { test } from "node:test";
import { shareRun } from "../../../src/worker/indexing/indexer.ts";

function openRun() {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const given: { report?: (step: number) => void; signal?: AbortSignal } = {};
	const run = shareRun<number, string>((report, signal) => {
		Object.assign(given, { report, signal });
		signal.addEventListener("abort", () => reject(signal.reason));
		return promise;
	});
	const report = (step: number) => given.report?.(step);
	return { run, resolve, report, isCancelled: () => given.signal?.aborted };
}

const never = new AbortController().signal;

test("all who joined hear of the progress and get the result", async () => {
	const { run, resolve, report } = openRun();
	const steps: number[] = [];
	const listener = (step: number) => steps.push(step);
	const both = [run.join(listener, never), run.join(listener, never)];
	report(1);
	resolve("done");
	assert.deepEqual(await Promise.all(both), ["done", "done"]);
	assert.deepEqual(steps, [1, 1]);
	assert.equal(run.isOpen, false);
});

test("one who leaves is told at once, and the work goes on for the others", async () => {
	const { run, resolve, isCancelled } = openRun();
	const controller = new AbortController();
	const leaving = run.join(() => undefined, controller.signal);
	const staying = run.join(() => undefined, never);
	controller.abort(new Error("enough"));
	await assert.rejects(leaving, /enough/);
	assert.equal(isCancelled(), false);
	resolve("done");
	assert.equal(await staying, "done");
});
