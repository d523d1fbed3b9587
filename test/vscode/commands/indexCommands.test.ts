import assert from "node:assert/strict";
import { test } from "node:test";
import type { IndexReport } from "../../../src/core/knowledge/knowledge.ts";
import { indexCommands } from "../../../src/vscode/commands/commands.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const REPORT: IndexReport = {
	...{ indexed: 1, unchanged: 0, failed: 0, skipped: 0, removed: 0, passages: 1, durationMs: 1 },
	contents: { documents: 1, passages: 1, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 },
};

test("a rebuild begins when the run before it has ended", async () => {
	const runs: { rebuild: boolean; ended: PromiseWithResolvers<IndexReport> }[] = [];
	const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const index = ({ rebuild }: { rebuild: boolean }) => {
		begun[runs.length]?.resolve();
		const ended = Promise.withResolvers<IndexReport>();
		runs.push({ rebuild, ended });
		return ended.promise;
	};
	const commands = indexCommands({ readiness: { index } } as never);
	const first = commands["copilot-ld.indexWorkspace"]?.();
	const second = commands["copilot-ld.rebuildIndex"]?.();
	await begun[0]?.promise;
	assert.equal(runs.length, 1);
	runs[0]?.ended.resolve(REPORT);
	await first;
	await begun[1]?.promise;
	runs[1]?.ended.reject(new Error("the disk is full"));
	await assert.rejects(async () => second, /the disk is full/);
	assertMapped(runs, ({ rebuild }) => rebuild, [false, true]);
});
