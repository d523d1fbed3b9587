import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { EmbeddingSettings } from "../../../src/core/knowledge/embedder.ts";
import { writeTinyModel } from "../../embed/transformer/tinyModel.ts";
import { makeWorkspace } from "../workspace.ts";
import { isBegun, isComplete, manyNotes, NOTES, openWorker } from "./embeddingWorker.ts";

const FILES = {
	"lamp.md": "# Lamp\n\nThe price of the lamp.\n",
	"car.md": "# Automobile\n\nThe keeper has an automobile.\n",
};

async function localModel(
	t: TestContext,
): Promise<{ readonly embedding: EmbeddingSettings; readonly id: string }> {
	const folder = await writeTinyModel(t);
	const { readModelForm } = await import("../../../src/embed/transformer/modelForm.ts");
	return { embedding: { provider: "local", folder }, id: (await readModelForm(folder)).id };
}

test("the built-in model's vectors are searched until those of a local model are there, and edits get them soon", async (t) => {
	const { id, embedding } = await localModel(t);
	const workspace = await makeWorkspace(t, FILES);
	const worker = await openWorker(t, workspace, { embedding });
	const report = await worker.index();
	assert.equal(report.indexed, 2);
	assert.ok((await worker.search("lamp")).hits[0]?.why.vector, "the first answer has vectors");
	await worker.untilStatus(isComplete(id));
	const found = await worker.search("cost");
	assert.deepEqual([found.hits[0]?.path, found.hits[0]?.why], ["lamp.md", { vector: 1 }]);
	await workspace.write({ "new.md": "# New\n\nA car.\n" });
	await worker.index();
	await worker.untilStatus(isComplete(id));
	const { hits } = await worker.search("automobile");
	assert.ok(hits.some(({ path, why }) => path === "new.md" && why.vector));
});

test("a worker that is killed while a local model is at work goes on where it was", async (t) => {
	const { id, embedding } = await localModel(t);
	const workspace = await makeWorkspace(t, manyNotes());
	const first = await openWorker(t, workspace, { embedding });
	await first.index();
	await first.untilStatus((status) => isBegun(status) || isComplete(id)(status));
	await first.kill();
	const second = await openWorker(t, workspace, { embedding });
	await second.index();
	const { passages } = await second.untilStatus(isComplete(id));
	assert.equal(passages, NOTES);
});

test("without the local model's files the built-in one goes on, and the status says what is missing", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const folder = await writeTinyModel(t, { "tokenizer.json": undefined });
	const worker = await openWorker(t, workspace, { embedding: { provider: "local", folder } });
	await worker.index();
	const { hits, notices } = await worker.search("lamp");
	assert.ok(hits[0]?.why.vector);
	assert.match(notices.join("\n"), /tokenizer\.json is missing/);
});

test("without its process the local model's index is searched by words, and every answer says so", async (t) => {
	const { id, embedding } = await localModel(t);
	const workspace = await makeWorkspace(t, FILES);
	const worker = await openWorker(t, workspace, { embedding });
	await worker.index();
	await worker.untilStatus(isComplete(id));
	await worker.stop();
	const other = await openWorker(t, workspace, { embedding: { provider: "local", folder: "/nowhere" } });
	const { hits, notices } = await other.search("lamp");
	assert.deepEqual([hits[0]?.path, hits[0]?.why], ["lamp.md", { text: 1 }]);
	assert.match(notices.join("\n"), /Only full text was searched/);
});
