import assert from "node:assert/strict";
import { test } from "node:test";
import type { IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import { statusDocument } from "../../../src/vscode/worker/indexReport.ts";
import { workspace } from "../../support/fakeVscode.ts";

const status: IndexStatus = {
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

test("the status tells which part does what: engine, model, store, graph and who runs agents", (t) => {
	const plain = statusDocument(status);
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
	const other = statusDocument(status);
	assert.match(cellOf(other, "Stored in") ?? "", /bucket\/index/);
	assert.match(cellOf(other, "Graph queries") ?? "", /store\.example\/sparql/);
	assert.match(cellOf(other, "Agent chains run on") ?? "", /^language model of VS Code/);
	assert.doesNotMatch(other, /secret/);
});
