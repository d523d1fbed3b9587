import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexReport, Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import { createFolderReadiness } from "../../../src/vscode/worker/readiness.ts";
import { workspace } from "../../support/fakeVscode.ts";

const never = new AbortController().signal;
const report: IndexReport = {
	...{ indexed: 1, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 2, durationMs: 3 },
};

afterEach(() => {
	workspace.workspaceFolders = undefined;
});

/** A readiness over a knowledge that counts how often it is brought in step; the first time may fail. */
function open({ folder = true, failure }: { folder?: boolean; failure?: Error } = {}) {
	workspace.workspaceFolders = folder ? [{ uri: { scheme: "file", fsPath: "/kb" }, name: "kb" }] : undefined;
	const failures = failure ? [failure] : [];
	const runs: boolean[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const knowledge: Knowledge = {
		...{ search: unasked, read: unasked, status: unasked },
		index: async ({ rebuild }, onProgress) => {
			runs.push(rebuild);
			onProgress({ done: 1, total: 4, current: "a.md" });
			const thrown = failures.pop();
			if (thrown) throw thrown;
			return report;
		},
	};
	const said: string[] = [];
	const readiness = createFolderReadiness(knowledge);
	return { readiness, runs, said, ensure: () => readiness.ensure((text) => said.push(text), never) };
}

test("without a folder a person is told to open one", async () => {
	const { ensure } = open({ folder: false });
	await assert.rejects(ensure(), { code: "NO_FOLDER", message: /^Open a folder first/ });
});

test("the first question brings the index in step and shows how far it is; the next one does not wait again", async () => {
	const { ensure, runs, said } = open();
	await ensure();
	await ensure();
	assert.deepEqual(runs, [false]);
	assert.deepEqual(said, ["Comparing the index with the files", "Indexing 1 of 4 files: a.md"]);
});

test("after a failed comparison the next question tries again", async () => {
	const { ensure, runs } = open({ failure: new Error("cancelled") });
	await assert.rejects(ensure(), /cancelled/);
	await ensure();
	assert.equal(runs.length, 2);
});

test("after the worker has stopped the files are compared again", async () => {
	const { ensure, readiness, runs } = open();
	await ensure();
	readiness.forget();
	await ensure();
	assert.equal(runs.length, 2);
});

for (const code of ["READ_ONLY", "BUSY"] as const)
	test(`an index that cannot be written here (${code}) is searched as it is`, async () => {
		const { ensure, runs } = open({ failure: new Failure(code, "not from here") });
		await ensure();
		assert.deepEqual(runs, [false]);
		const { readiness } = open({ failure: new Failure(code, "not from here") });
		await assert.rejects(
			readiness.index({ rebuild: false }, () => undefined, never),
			{ code },
		);
	});
