import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../../src/store/openStore.ts";
import type { Store, StoredDocument } from "../../../src/store/port/store.ts";
import { openModels } from "../../../src/worker/embedding/models.ts";
import { succeed } from "../../../src/worker/embedding/succession.ts";
import { MODEL_FOLDER, never } from "../workerProcess.ts";
import { makeWorkspace, type Workspace } from "../workspace.ts";
import { isComplete, openWorker } from "./embeddingWorker.ts";

const ENGLISH_ONLY = "static-embedding-1-32000x256";
const TODAY = "static-embedding-2-124965x256";

const TEXTS: Readonly<Record<string, readonly string[]>> = {
	"file:///english.md": ["The keeper lights the lamp in the evening.", "The fog bell rings."],
	"file:///german.md": ["Der Wärter zündet am Abend die Lampe an, und das Nebelhorn bleibt stumm."],
	"file:///both.md": ["The keeper is at home.", "Le gardien allume la lampe tous les soirs d'hiver."],
	"file:///empty.md": [],
};

const models = await openModels({
	modelFolder: resolve(MODEL_FOLDER),
	settings: { provider: "built-in" },
	isChosen: false,
	isReadOnly: false,
	keyOf: async () => undefined,
});

/** An index as it was before the built-in model knew other languages; in each vector, a number that no model would give. */
async function makeOldIndex(t: TestContext): Promise<Workspace> {
	const workspace = await makeWorkspace(t, {});
	const folder = join(workspace.dataFolder, "index");
	const store = await openStore({ folder, embedder: { id: ENGLISH_ONLY, dimensions: 256 } });
	await store.replace(await Promise.all(Object.entries(TEXTS).map(([uri, texts]) => toStored(uri, texts))));
	await store.close();
	return workspace;
}

async function toStored(uri: string, texts: readonly string[]): Promise<StoredDocument> {
	const model = models.find(ENGLISH_ONLY);
	assert.ok(model);
	const passages = texts.map((text) => ({ title: "", text, lines: { start: 1, end: 1 } }));
	const { vectors } = await model.passages(
		passages.map(({ title, text }) => `${title}\n${text}`),
		never,
	);
	for (let at = 0; at < vectors.length; at += 256) vectors[at] = 0.5;
	return {
		record: {
			...{ uri, format: "markdown", hash: uri, size: 1, modifiedMs: 0, state: { kind: "indexed" } },
			...{ title: uri, passages: texts.length, resources: 0, quads: 0, problems: [] },
		},
		...{ passages, vectors, embedder: ENGLISH_ONLY, resources: [], quads: [] },
	};
}

/** By document: whether all its vectors are those of the old index. */
async function keptIn(store: Store): Promise<Record<string, boolean>> {
	const kept: Record<string, boolean> = {};
	for (const uri of Object.keys(TEXTS)) {
		const vectors = await store.vectorsOf(store.revisionOf(uri) ?? 0);
		kept[uri] = vectors.every((value, at) => at % 256 !== 0 || value > 0.4);
	}
	return kept;
}

test("when the built-in model learns languages, only documents with text in these are embedded again", async (t) => {
	const folder = join((await makeOldIndex(t)).dataFolder, "index");
	const store = await openStore({ folder, embedder: { id: TODAY, dimensions: 256 } });
	t.after(() => store.close());
	const { wanted } = models;
	assert.ok(wanted);
	const asked: string[] = [];
	const passages: typeof wanted.passages = (texts, signal) => {
		asked.push(...texts);
		return wanted.passages(texts, signal);
	};
	const write = (work: () => Promise<void>) => work();
	await succeed({ store, model: { ...wanted, passages }, write, report: () => undefined }, never);
	assert.equal(store.embedder?.id, TODAY);
	const texts = [...(TEXTS["file:///german.md"] ?? []), ...(TEXTS["file:///both.md"] ?? [])];
	assert.deepEqual(asked.slice(1).toSorted(), texts.map((text) => `\n${text}`).toSorted());
	assert.deepEqual(await keptIn(store), {
		"file:///english.md": true,
		"file:///german.md": false,
		"file:///both.md": false,
		"file:///empty.md": true,
	});
	const { vectors } = await wanted.questions(["\nThe keeper is at home."], never);
	const both = await store.vectorsOf(store.revisionOf("file:///both.md") ?? 0);
	// As exact as 8 bits can be.
	assert.ok(vectors.every((value, d) => Math.abs(value - (both[d] ?? 9)) < 5e-3));
});

test("an index of the model that knew only English is brought up by itself, and answers meanwhile", async (t) => {
	const worker = await openWorker(t, await makeOldIndex(t));
	assert.ok((await worker.search("Who lights the lamp?")).hits[0]?.why.vector);
	await worker.untilStatus(isComplete(TODAY));
	const { hits } = await worker.search("Wer macht abends das Licht an?");
	assert.ok(hits.find(({ uri }) => uri === "file:///german.md")?.why.vector);
});

test("an index of the model that knew only English that may not be written is searched as it is", async (t) => {
	const { dataFolder, folder } = await makeOldIndex(t);
	const options = { storage: { uri: dataFolder, readOnly: true } };
	const worker = await openWorker(t, { dataFolder: `${dataFolder}-other`, folder }, options);
	const { hits, notices } = await worker.search("Who lights the lamp?");
	assert.ok(hits[0]?.why.vector);
	assert.doesNotMatch(notices.join(), /mbedding/);
	assert.equal((await worker.untilStatus(() => true)).embedder, ENGLISH_ONLY);
});
