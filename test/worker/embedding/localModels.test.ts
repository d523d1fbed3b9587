import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readModelForm } from "../../../src/embed/transformer/modelForm.ts";
import { openStore } from "../../../src/store/openStore.ts";
import { writeTinyModel } from "../../embed/transformer/tinyModel.ts";
import { sampleDocument, uriOf } from "../../store/sampleDocument.ts";
import { startIn } from "../workerProcess.ts";
import { makeWorkspace, type Workspace } from "../workspace.ts";
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

const ENGLISH_ONLY = "static-embedding-1-32000x256";
const TODAY = "static-embedding-2-124965x256";

const TEXTS: Readonly<Record<string, readonly string[]>> = {
	"german.md": ["Der Wärter zündet am Abend die Lampe an, und das Nebelhorn bleibt stumm."],
	"both.md": ["The keeper lights the lamp.", "Le gardien allume la lampe tous les soirs d'hiver."],
	"empty.md": [],
};

/** An index as it was before the built-in model knew other languages. */
async function makeOldIndex(t: TestContext): Promise<Workspace> {
	const workspace = await makeWorkspace(t, {});
	const folder = join(workspace.dataFolder, "index");
	const store = await openStore({ folder, embedder: { id: ENGLISH_ONLY, dimensions: 256 } });
	const documents = Object.entries(TEXTS).map(([name, texts]) => {
		const vectors = new Float32Array(texts.length * 256).fill(1 / 16);
		return { ...sampleDocument(name, texts), vectors, embedder: ENGLISH_ONLY };
	});
	await store.replace(documents);
	await store.close();
	return workspace;
}

test("an index of the model that knew only English is brought up by itself, and answers meanwhile", async (t) => {
	const worker = await startIn(t, await makeOldIndex(t));
	assert.ok((await worker.search("Who lights the lamp?")).hits.length > 0);
	await worker.untilStatus(isComplete(TODAY));
	const { hits } = await worker.search("Wer macht abends das Licht an?");
	assert.ok(hits.find(({ uri }) => uri === uriOf("german.md"))?.why.vector);
});
