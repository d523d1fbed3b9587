import assert from "node:assert/strict";
import { test } from "node:test";
import { readModelForm } from "../../../src/embed/transformer/modelForm.ts";
import { type Models, openModels } from "../../../src/worker/embedding/models.ts";
import { writeTinyModel } from "../../embed/transformer/tinyModel.ts";
import { MODEL_FOLDER, startIn } from "../workerProcess.ts";
import { makeWorkspace } from "../workspace.ts";
import { isComplete } from "./embeddingWorker.ts";

const CAR = "# Automobile\n\nThe keeper has an automobile.\n";
const FILES = { "lamp.md": "# Lamp\n\nThe price of the lamp.\n", "car.md": CAR };

test("the built-in model's vectors are searched until those of a local model are there, and edits get them soon", async (t) => {
	const folder = await writeTinyModel(t);
	const { id } = await readModelForm(folder);
	const workspace = await makeWorkspace(t, FILES);
	const worker = await startIn(t, workspace, { embedding: { provider: "local", folder } });
	assert.equal((await worker.index()).indexed, 2);
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

test("without the local model's files the built-in one goes on, and the status says what is missing", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const folder = await writeTinyModel(t, { "tokenizer.json": undefined });
	const worker = await startIn(t, workspace, { embedding: { provider: "local", folder } });
	await worker.index();
	const { hits, notices } = await worker.search("lamp");
	assert.ok(hits[0]?.why.vector);
	assert.match(notices.join("\n"), /tokenizer\.json is missing/);
});

test("vectors of the model that knew only English are replaced by themselves, those of another only if that is chosen", async () => {
	const open = (isChosen: boolean, isReadOnly = false) =>
		openModels({
			...{ modelFolder: MODEL_FOLDER, embeddingProgram: "", keyOf: async () => undefined },
			...{ settings: { provider: "built-in" }, isChosen, isReadOnly },
		});
	const [untold, chosen, reading] = await Promise.all([open(false), open(true), open(true, true)]);
	const may = ({ mayReplace }: Models) =>
		["static-embedding-1-32000x256", "other-1"].map((id) => mayReplace({ id, dimensions: 256 }));
	assert.deepEqual([untold, chosen, reading].map(may), [
		[true, false],
		[true, true],
		[false, false],
	]);
});
