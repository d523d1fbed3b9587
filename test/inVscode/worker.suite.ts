import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { untilAborted } from "../../src/base/jobs/untilAborted.ts";
import { invokeTool } from "./chat.ts";
import { saveReport, workerPid } from "./saveReport.ts";

const QUERY = "fog signal";

suite("the worker", () => {
	test("its crash fails the open request in clear words, and the next request works", async function () {
		// Only Linux tells there which process the worker is.
		if (!existsSync("/proc/self/stat")) return this.skip();
		await soon("the first search", search(QUERY));
		const worker = workerPid();
		// Stopped first, so that the request is surely open when the process dies.
		process.kill(worker, "SIGSTOP");
		const open = search(QUERY);
		// Calls arrive in their order: when this one was refused without the worker, that one waits for it.
		await soon("a refusal", assert.rejects(search("")));
		// A report of a problem does not wait for it.
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

	test("what is asked while a setting starts it anew is answered", async function () {
		// Only Linux tells there which process the worker is.
		if (!existsSync("/proc/self/stat")) return this.skip();
		const worker = workerPid();
		// Stopped, so that the request is surely open when the setting changes.
		process.kill(worker, "SIGSTOP");
		const open = search(QUERY);
		await setMemory(64);
		const late = search(QUERY);
		process.kill(worker, "SIGCONT");
		for (const answer of await Promise.all([open, late])) assert.match(answer, /\[[^\]\n]+:\d+/);
		while (workerPid() === worker) await search(QUERY);
		await setMemory(undefined);
	});
});

/** What hangs is named, which a test that takes too long does not do. */
async function soon<Result>(what: string, promise: Promise<Result>): Promise<Result> {
	const late = AbortSignal.timeout(90_000);
	return untilAborted(promise, late).catch((thrown: unknown) => {
		throw late.aborted ? new Error(`${what} took more than 90 s`) : thrown;
	});
}

/** Of a setting that the worker is started with. */
async function setMemory(megabytes: number | undefined): Promise<void> {
	const settings = vscode.workspace.getConfiguration("copilot-LD");
	const options = megabytes === undefined ? undefined : { memory: megabytes };
	await settings.update("storage.options", options, vscode.ConfigurationTarget.Global);
}

function search(query: string): Promise<string> {
	return invokeTool("copilot-ld_search_knowledge", { query });
}
