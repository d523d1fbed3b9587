import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexReport, IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import { keptElsewhereText, reportText, stoppedText } from "../../../src/vscode/worker/indexReport.ts";

const status = async () => ({ documents: 1, passages: 1234 }) as IndexStatus;

test("where another program keeps the index, a person is told which, and what there is to search", async () => {
	const busy = new Failure("BUSY", "The MCP server of Claude (process 7) keeps this index up to date.");
	assert.equal(
		await keptElsewhereText(busy, { status }),
		"The MCP server of Claude (process 7) keeps this index up to date. The index has 1 file, 1,234 passages.",
	);
	const other = new Failure("READ_ONLY", "Not from here.");
	await assert.rejects(keptElsewhereText(other, { status }), other);
});

function reportOf(run: Partial<IndexReport>, contents: Partial<IndexReport["contents"]> = {}): IndexReport {
	return {
		...{ indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 1234, ...run },
		contents: {
			...{ documents: 17, passages: 142, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 },
			...contents,
		},
	};
}

test("an indexing says what there is now, and only then what it did", () => {
	assert.equal(reportText(reportOf({ unchanged: 17 })), "The index is up to date: 17 files, 142 passages.");
	assert.equal(
		reportText(reportOf({ indexed: 1, removed: 2 }, { documents: 1300, passages: 1 })),
		"1 file indexed, 2 removed in 1.2 s. The index has 1,300 files, 1 passage.",
	);
	assert.equal(
		reportText(reportOf({}, { failed: [{ path: "a", reason: "b" }] })),
		"The index is up to date: 17 files, 142 passages. 1 file could not be read.",
	);
});

test("a folder without anything to read says so, and what was left out", () => {
	const nothing = { documents: 0, passages: 0 };
	assert.equal(
		reportText(reportOf({}, { ...nothing, skipped: { "no reader for .png files": 3 } })),
		"This folder has no files that Copilot-LD can read (3 skipped: .png).",
	);
	assert.equal(reportText(reportOf({}, nothing)), "This folder has no files that Copilot-LD can read.");
});

test("who stops an indexing is told how far it came", () => {
	assert.equal(
		stoppedText({ done: 1000, total: 13_000, found: 0, current: "a.md" }, "Ask again to continue."),
		"Stopped: 1,000 of 13,000 files indexed. Ask again to continue.",
	);
});
