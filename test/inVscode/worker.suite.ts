import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { suite, test } from "mocha";
import { untilAborted } from "../../src/base/jobs/untilAborted.ts";
import { invokeTool } from "./chat.ts";
import { saveReport, workerPid } from "./saveReport.ts";
import { setSetting } from "./workbench.ts";

const QUERY = "fog signal";

suite("the worker", () => {
	test("a crash fails the open request with a clear message, and the next request works", async function () {
		// Only Linux lists processes in /proc, from which the test finds the worker.
		if (!existsSync("/proc/self/stat")) return this.skip();
		await soon("the first search", search(QUERY));
		const worker = workerPid();
		// Stops the process first, so that the request is certainly open when it dies.
		process.kill(worker, "SIGSTOP");
		const open = search(QUERY);
		// Calls arrive in order: once this one is refused, the request above waits for the worker.
		await soon("a refusal", assert.rejects(search("")));
		// A problem report does not wait for the worker.
		const { report } = await soon("a report without the worker", saveReport());
		assert.equal(report.worker, "no answer");
		const { entries }: { entries: { event: string }[] } = report.window;
		assert.ok(entries.some(({ event }) => event === "ask copilot-ld/knowledge/search"));
		process.kill(worker, "SIGKILL");
		await soon("the end of the open request", assert.rejects(open, /stopped|again/i));
		assert.match(await soon("the next search", search(QUERY)), /\[[^\]\n]+:\d+/);
		assert.notEqual(workerPid(), worker);
		const { report: after, text } = await soon("a report with the worker", saveReport());
		assert.equal(after.index.state, "ready");
		assert.ok(after.worker.entries.length > 0);
		assert.ok(!text.includes(QUERY));
	});

	test("a request during a restart by a setting is answered", async function () {
		if (!existsSync("/proc/self/stat")) return this.skip();
		const worker = workerPid();
		// Stops it, so that the request is certainly open when the setting changes.
		process.kill(worker, "SIGSTOP");
		const open = search(QUERY);
		// Restarts the worker.
		await setSetting("storage.options", { memory: 64 });
		const late = search(QUERY);
		process.kill(worker, "SIGCONT");
		for (const answer of await Promise.all([open, late])) assert.match(answer, /\[[^\]\n]+:\d+/);
		while (workerPid() === worker) await search(QUERY);
		await setSetting("storage.options", undefined);
	});
});

/** Names the operation that hangs, unlike the timeout of a test. */
async function soon<Result>(what: string, promise: Promise<Result>): Promise<Result> {
	const late = AbortSignal.timeout(90_000);
	return untilAborted(promise, late).catch((thrown: unknown) => {
		throw late.aborted ? new Error(`${what} took more than 90 s`) : thrown;
	});
}

function search(query: string): Promise<string> {
	return invokeTool("copilot-ld_search_knowledge", { query });
}
