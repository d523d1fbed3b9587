import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { test } from "node:test";
import { readModelForm } from "../../../src/embed/transformer/modelForm.ts";
import { type Models, openModels } from "../../../src/worker/embedding/models.ts";
import { holdAfter, serveEmbeddings } from "../../embed/http/fakeEmbeddings.ts";
import { writeTinyModel } from "../../embed/transformer/tinyModel.ts";
import { untilIt } from "../../support/untilIt.ts";
import { MODEL_FOLDER, makeWorkspace, never, startIn, startIndexed } from "../workspace.ts";
import { endpointSettings, isBegun, isComplete, manyFiles, manyNotes, NOTES } from "./embeddingWorker.ts";

const ID = "openai-compatible/words";
const KEY = "sk-very-secret";

test("an endpoint embeds passages and questions", async (t) => {
	const fake = await serveEmbeddings(t);
	const workspace = await makeWorkspace(t, manyFiles(40));
	const asked: unknown[] = [];
	const worker = await startIn(t, workspace, endpointSettings(fake.endpoint), (query) => {
		asked.push(query);
		return KEY;
	});
	assert.equal((await worker.index()).indexed, 40);
	await worker.untilStatus(isComplete(ID));
	const { hits, notices } = await worker.search("keeper 17");
	assert.equal(hits[0]?.path, "many/17.md");
	assert.deepEqual(Object.keys(hits[0]?.why ?? {}).sort(), ["text", "vector"]);
	assert.deepEqual(notices, []);
	assert.deepEqual(asked[0], { kind: "embedding", address: new URL(fake.endpoint).origin });
	assert.ok(fake.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
	const passages = fake.asked.flatMap(({ input }) => input).filter((text) => text.startsWith("Note"));
	assert.equal(new Set(passages).size, passages.length, "no passage is embedded twice");
	await worker.stop();
	const before = fake.asked.length;
	const again = await startIn(t, workspace, endpointSettings(fake.endpoint));
	assert.equal((await again.index()).unchanged, 40);
	await again.untilStatus(isComplete(ID));
	assert.equal(fake.asked.length, before, "a second run on unchanged files embeds nothing");
});

test("a worker without an endpoint searches words, adds a notice to answers, and embeds later", async (t) => {
	const fake = await serveEmbeddings(t);
	fake.stop();
	const workspace = await makeWorkspace(t, manyFiles(5));
	const soon = new Date(Date.now() + 60_000);
	await utimes(workspace.path("many/3.md"), soon, soon);
	const worker = await startIn(t, workspace, endpointSettings(fake.endpoint));
	assert.equal((await worker.index()).indexed, 5);
	const trouble = /Vectors cannot be made now; this is tried again later\. .*ECONNREFUSED/;
	const { notices: told } = await worker.untilStatus(({ notices }) => trouble.test(notices.join()));
	assert.match(told.join(), /: 0 of 5 passages have vectors; the others are found by full text only/);
	const { hits, notices } = await worker.search("keeper 3");
	assert.deepEqual([hits[0]?.path, hits[0]?.why], ["many/3.md", { text: 1 }]);
	assert.match(notices.join("\n"), /Only full text was searched\. The passages have no vectors yet\./);
	assert.match(notices.join("\n"), trouble);
	await fake.start();
	await worker.index();
	await worker.untilStatus(isComplete(ID));
	const [first] = fake.asked.flatMap(({ input }) => input).filter((text) => text.startsWith("Note"));
	assert.match(first ?? "", /^Note 3/);
	assert.ok((await worker.search("keeper 3")).hits[0]?.why.vector);
	fake.stop();
	const late = await worker.search("keeper 3");
	assert.equal(late.hits[0]?.path, "many/3.md");
	assert.match(late.notices.join("\n"), /Only full text was searched\. .*ECONNREFUSED/);
});

for (const [missing, options, words] of [
	["provider", { embedding: { provider: "none" } }, /embedding\.provider is "none"/],
	["address", endpointSettings("nowhere"), /options\.endpoint is not an http/],
	["model", { modelFolder: "no/such/model" }, /embedding model .* cannot be read/],
] as const)
	test(`a worker with no ${missing} searches only full text and graph, and every answer states the reason`, async (t) => {
		const worker = await startIndexed(t, manyFiles(3), options);
		const { hits, notices } = await worker.search("keeper 2");
		assert.deepEqual([hits[0]?.path, hits[0]?.why], ["many/2.md", { text: 1 }]);
		assert.match(notices.join(), words);
		const status = await worker.knowledge.status(never);
		assert.deepEqual([status.embedder, status.legs], ["none", ["text"]]);
		assert.match(status.notices.join(), words);
	});

test("old vectors are searched until the vectors of a new model are complete, even after a crash", async (t) => {
	const { workspace, stop } = await startIndexed(t, manyNotes());
	await stop();
	const fake = await serveEmbeddings(t);
	holdAfter(fake, 10);
	const first = await startIn(t, workspace, endpointSettings(fake.endpoint));
	const { embedder, legs } = await first.untilStatus(isBegun);
	assert.match(`${embedder} ${legs}`, /^static-embedding.* text,vector$/);
	await first.kill();
	fake.asked.length = 0;
	const release = holdAfter(fake, 0);
	const worker = await startIn(t, workspace, endpointSettings(fake.endpoint));
	await worker.untilStatus(isBegun);
	const { hits, notices } = await worker.search("keeper 690");
	assert.deepEqual([hits[0]?.path, "vector" in (hits[0]?.why ?? {})], ["many/69.md", true]);
	assert.match(notices.join(), /Re-embedding with openai-compatible\/words/);
	await workspace.write({ "many/3.md": "# Note 3\n\nA zebra came while the vectors were made.\n" });
	await workspace.remove("many/4.md");
	await worker.index();
	release();
	const search = async () => {
		const found = await worker.search("keeper 690");
		assert.equal(found.hits[0]?.path, "many/69.md");
		return found;
	};
	const searching = untilIt(search, ({ notices: [missing] }) => missing === undefined);
	const after = await worker.untilStatus(isComplete(ID));
	await searching;
	assert.deepEqual([after.documents, after.passages], [NOTES / 10 - 1, NOTES - 10 - 9]);
	const zebra = await worker.search("zebra");
	assert.deepEqual([zebra.hits[0]?.path, "vector" in (zebra.hits[0]?.why ?? {})], ["many/3.md", true]);
	const again = fake.asked.flatMap(({ input }) => input).filter((text) => text.startsWith("Note")).length;
	assert.ok(again > 0 && again < after.passages, `${again} passages were embedded again`);
});

test("a worker without the old model searches words, and replaces vectors only if a model is set", async (t) => {
	const fake = await serveEmbeddings(t);
	const { workspace, ...first } = await startIndexed(t, manyFiles(300), endpointSettings(fake.endpoint));
	await first.untilStatus(isComplete(ID));
	await first.stop();
	fake.stop();
	const untold = await startIn(t, workspace);
	const { notices: said } = await untold.search("keeper 7");
	const old = "The vectors were made with openai-compatible/words, which is not available here.";
	assert.deepEqual(said, [`Only full text was searched. ${old}`]);
	await untold.stop();
	const second = await startIn(t, workspace, { embedding: { provider: "built-in" } });
	const { hits, notices } = await second.search("keeper 7");
	assert.equal(hits[0]?.path, "many/7.md");
	assert.match(notices.join(), /openai-compatible\/words, which is no longer available; new ones are being/);
	const { embedder } = await second.untilStatus(({ legs }) => legs.includes("vector"));
	assert.match(embedder, /^static-embedding/);
	assert.ok((await second.search("keeper 7")).hits[0]?.why.vector);
});

const FILES = {
	"lamp.md": "# Lamp\n\nThe price of the lamp.\n",
	"car.md": "# Automobile\n\nAn automobile.\n",
};

test("vectors of the built-in model are searched until the vectors of a local model are complete", async (t) => {
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

test("the built-in model replaces a local model with missing files, and a notice names the file", async (t) => {
	const folder = await writeTinyModel(t, { "tokenizer.json": undefined });
	const worker = await startIndexed(t, FILES, { embedding: { provider: "local", folder } });
	const { hits, notices } = await worker.search("lamp");
	assert.ok(hits[0]?.why.vector);
	assert.match(notices.join("\n"), /tokenizer\.json is missing/);
});

test("vectors of the older built-in model are always replaced, other vectors only if the user chooses a model", async () => {
	const given = { modelFolder: MODEL_FOLDER, embeddingProgram: "", keyOf: async () => undefined };
	const open = (isChosen: boolean, isReadOnly = false) =>
		openModels({ ...given, settings: { provider: "built-in" }, isChosen, isReadOnly });
	const [untold, chosen, reading] = await Promise.all([open(false), open(true), open(true, true)]);
	const may = ({ mayReplace }: Models) =>
		["static-embedding-1-32000x256", "other-1"].map((id) => mayReplace({ id, dimensions: 256 }));
	assert.equal([untold, chosen, reading].map(may).join(" "), "true,false true,true false,false");
	const { embedding: settings } = endpointSettings("http://127.0.0.1:1");
	const options = { ...given, modelFolder: "no/such/model", settings, isChosen: true, isReadOnly: false };
	const { isBuiltIn } = await openModels(options);
	assert.equal(isBuiltIn(undefined), false, "an index without vectors is of no model");
});
