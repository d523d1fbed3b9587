import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexReport, IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import {
	keptElsewhereText,
	reportText,
	statusDocument,
	stoppedText,
} from "../../../src/vscode/worker/indexReport.ts";
import { workspace } from "../../support/fakeVscode.ts";

const status = async () => ({ documents: 1, passages: 1234 }) as IndexStatus;

test("where another program keeps the index, a person is told which, and what there is to search", async () => {
	const kept = "The MCP server of Claude (process 7) keeps this index up to date.";
	const text = await keptElsewhereText(new Failure("BUSY", kept), { status });
	assert.equal(text, `${kept} The index has 1 file, 1,234 passages.`);
	const other = new Failure("READ_ONLY", "Not from here.");
	await assert.rejects(keptElsewhereText(other, { status }), other);
});

function reportOf(run: Partial<IndexReport>, contents: Partial<IndexReport["contents"]> = {}): IndexReport {
	const all = { documents: 17, passages: 142, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 };
	return {
		...{ indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 1234, ...run },
		contents: { ...all, ...contents },
	};
}

const NOTHING = { documents: 0, passages: 0 };
const UP_TO_DATE = "The index is up to date: 17 files, 142 passages.";
const UNREADABLE = "This folder has no files that Copilot-LD can read";

test("an indexing says what there is now or what was left out, and only then what it did", () => {
	const edited = "1 file indexed, 2 removed in 1.2 s. The index has 1,300 files, 1 passage.";
	for (const [run, contents, told] of [
		[{ unchanged: 17 }, {}, UP_TO_DATE],
		[{ indexed: 1, removed: 2 }, { documents: 1300, passages: 1 }, edited],
		[{}, { failed: [{ path: "a", reason: "b" }] }, `${UP_TO_DATE} 1 file could not be read.`],
		[{}, { ...NOTHING, skipped: { "no reader for .png files": 3 } }, `${UNREADABLE} (3 skipped: .png).`],
		[{}, NOTHING, `${UNREADABLE}.`],
	] as const)
		assert.equal(reportText(reportOf(run, contents)), told);
});

test("who stops an indexing is told how far it came", () => {
	const progress = { done: 1000, total: 13_000, found: 0, current: "a.md" };
	const text = stoppedText(progress, "Ask again to continue.");
	assert.equal(text, "Stopped: 1,000 of 13,000 files indexed. Ask again to continue.");
});

const STATUS: IndexStatus = {
	...{ state: "ready", documents: 17, flawed: 1, described: 0, passages: 1420, resources: 3, quads: 9 },
	...{
		embedder: "static-embedding-2-124965x256",
		legs: ["text", "vector"],
		engine: "lancedb",
		bytesOnDisk: 2_000_000,
	},
	...{ skipped: {}, failed: [], notices: [] },
};

function cellOf(document: string, name: string): string | undefined {
	return document
		.split("\n")
		.flatMap((line) => (line.startsWith(`| ${name} |`) ? [line.split(" | ")[1]] : []))[0];
}

test("the STATUS tells which part does what: engine, model, store, graph and who runs agents", (t) => {
	const plain = statusDocument(STATUS);
	assert.match(cellOf(plain, "Searched") ?? "", /LanceDB/);
	assert.match(cellOf(plain, "Search model") ?? "", /^built in/);
	assert.match(cellOf(plain, "Stored in") ?? "", /VS Code's storage/);
	assert.match(cellOf(plain, "Graph queries") ?? "", /statements in the files/);
	assert.match(cellOf(plain, "Agent chains run on") ?? "", /Copilot CLI if/);
	const chosen: Readonly<Record<string, unknown>> = {
		"storage.uri": "s3://team:secret@bucket/index?key=secret",
		"graph.endpoint": "https://me:secret@store.example/sparql?token=secret",
		"agents.engine": "model",
	};
	const { getConfiguration } = workspace;
	t.after(() => Object.assign(workspace, { getConfiguration }));
	const get = (name: string, fallback: unknown) => chosen[name.replace(/^copilot-ld\./, "")] ?? fallback;
	workspace.getConfiguration = () => ({ get, inspect: () => undefined });
	const other = statusDocument(STATUS);
	assert.match(cellOf(other, "Stored in") ?? "", /bucket\/index/);
	assert.match(cellOf(other, "Graph queries") ?? "", /store\.example\/sparql/);
	assert.match(cellOf(other, "Agent chains run on") ?? "", /^language model of VS Code/);
	assert.doesNotMatch(other, /secret/);
});
