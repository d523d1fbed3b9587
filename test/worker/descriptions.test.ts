import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { describeDocuments } from "../../src/agent/describe/describeDocuments.ts";
import type { Descriptor, DocumentDigest } from "../../src/core/knowledge/descriptor.ts";
import type { SearchQuery } from "../../src/core/knowledge/knowledge.ts";
import type { AtDoor, Door } from "../../src/core/permission/permission.ts";
import type { WorkerOptions } from "../../src/protocol/worker.ts";
import { serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { fakeModel } from "../support/fakeModel.ts";
import { endpointSettings, isComplete } from "./embedding/embeddingWorker.ts";
import { never, startIn } from "./workerProcess.ts";
import { type Files, makeWorkspace, type Workspace } from "./workspace.ts";

const RELAMPING = "# Relamping\n\nPin the lens. Wear cotton gloves.\n";
const BREAD = "# Bread\n\nIt rises at night.\n";
const FILES = { "relamping.md": RELAMPING, "bread.md": BREAD };

/** No word of it is in the files. */
const BULB: Descriptor = {
	purpose: "Replace a burnt-out bulb step by step",
	applicability: "when a beacon stays dark",
	evaluation: "all flashes are equally bright",
};

const QUESTION = "How do I replace a burnt-out bulb of a beacon?";

async function open(t: TestContext, workspace: Workspace, options: Partial<WorkerOptions> = {}) {
	const worker = await startIn(t, workspace, options);
	const { descriptions } = worker;
	return {
		...worker,
		describe: async (title: string, descriptor = BULB) => {
			const { documents } = await descriptions.undescribed(100, never);
			const document = documents.find((one) => one.title === title);
			assert.ok(document, `${title} is among ${titlesOf(documents)}`);
			await descriptions.describe(document.hash, descriptor, never);
		},
		described: async (query: SearchQuery & { readonly door?: Door } = { query: QUESTION }) => {
			const { hits } = await worker.knowledge.search({ door: "chat", ...query }, never);
			return hits.flatMap(({ path, why }) => (why.descriptor === undefined ? [] : [path]));
		},
		titles: async () => titlesOf((await descriptions.undescribed(100, never)).documents),
	};
}

async function openIndexed(t: TestContext, files: Files = FILES, options: Partial<WorkerOptions> = {}) {
	const workspace = await makeWorkspace(t, files);
	const worker = await open(t, workspace, options);
	await worker.index();
	return { workspace, worker };
}

function titlesOf(documents: readonly DocumentDigest[]): string[] {
	return documents.map(({ title }) => title).sort();
}

test("a document is found by words that only its description has, until it is edited; moved it keeps them", async (t) => {
	const { workspace, worker } = await openIndexed(t);
	assert.deepEqual(await worker.described(), []);
	await worker.describe("Relamping");
	const { hits } = await worker.search(QUESTION);
	assert.deepEqual([hits[0]?.path, hits[0]?.why.descriptor], ["relamping.md", 1]);
	assert.ok(!JSON.stringify(hits).includes(BULB.purpose), "a model's words are not the document's text");
	await workspace.move("relamping.md", "old/lamp.md");
	await worker.index();
	assert.deepEqual(await worker.described(), ["old/lamp.md"]);
	await workspace.write({ "old/lamp.md": `${RELAMPING}\nAnd a hat.\n` });
	await worker.index();
	assert.deepEqual(await worker.described(), []);
	await workspace.write({ "old/lamp.md": RELAMPING });
	await worker.index();
	assert.deepEqual(await worker.described(), ["old/lamp.md"]);
});

test("a rebuilding and a restart keep descriptions, and the status counts them", async (t) => {
	const { workspace, worker } = await openIndexed(t);
	assert.equal((await worker.knowledge.status(never)).described, 0);
	await worker.describe("Relamping");
	await worker.index(true);
	assert.deepEqual(await worker.described(), ["relamping.md"]);
	await worker.stop();
	const again = await open(t, workspace);
	const { described, documents, legs } = await again.knowledge.status(never);
	assert.deepEqual([described, documents, legs], [1, 2, ["text", "vector", "descriptor"]]);
	assert.deepEqual(await again.described(), ["relamping.md"]);
	assert.deepEqual(await again.titles(), ["Bread"]);
});

test("a run over the pipe describes what is open, and the next one only what is new", async (t) => {
	const { workspace, worker } = await openIndexed(t, {
		...FILES,
		"copy.md": BREAD,
		"picture.png": "no text",
	});
	const run = async (budget: number) => {
		const model = fakeModel(Array.from({ length: 9 }, () => [JSON.stringify(BULB)]));
		const { descriptions } = worker;
		const work = { descriptions, model, budget, report: () => undefined, isLasting: () => true };
		const { described, left } = await describeDocuments(work, never);
		return { described, left, prompts: model.requests.map(({ messages }) => messages.at(-1)?.text ?? "") };
	};
	const first = await run(9);
	assert.deepEqual([first.described, first.left], [2, 0], "files of the same content share a description");
	assert.ok(first.prompts.some((prompt) => /Title: Relamping.*cotton gloves/s.test(prompt)));
	await workspace.write({ "bread.md": `${BREAD}With salt.\n` });
	await worker.index();
	const second = await run(9);
	assert.deepEqual([second.described, second.left, second.prompts.length], [1, 0, 1]);
	assert.match(second.prompts[0] ?? "", /With salt/);
});

test("what a policy hides from the chat is not handed out, and no door finds by a description more than it may see", async (t) => {
	const policy = (rules: string) => ({ ".copilot-ld/config.yaml": `policy:\n${rules}` });
	const pay = "<https://example.org/eva> <https://example.org/salary> 4711 .\n";
	const { workspace, worker } = await openIndexed(t, { ...FILES, "pay.ttl": pay });
	await worker.describe("Relamping");
	await worker.describe("pay.ttl", { ...BULB, evaluation: "wages" });
	await workspace.write(policy("  - deny: {paths: [relamping.md]}\n    doors: [mcp]\n"));
	assert.deepEqual(await worker.described({ query: QUESTION, door: "mcp", sources: ["relamping"] }), []);
	assert.deepEqual(await worker.described({ query: "beacon", door: "mcp" }), ["pay.ttl"]);
	assert.deepEqual((await worker.described({ query: "beacon" })).sort(), ["pay.ttl", "relamping.md"]);
	await workspace.write(policy("  - deny: {properties: [salary]}\n    doors: [tools]\n"));
	for (const chosen of [{}, { index: "descriptor" }] as const) {
		const found = await worker.described({ query: "beacon wages", door: "tools", ...chosen });
		assert.deepEqual(found, ["relamping.md"]);
	}
	await workspace.write(policy("  - deny: {paths: [bread.md]}\n  - deny: {properties: [bonus]}\n"));
	assert.deepEqual(await worker.titles(), []);
	await workspace.write(policy("  - deny: {properties: [bonus]}\n"));
	assert.deepEqual(await worker.titles(), ["Bread"]);
});

test("the options of the worker choose a search of descriptions alone", async (t) => {
	const { worker } = await openIndexed(t, FILES, {
		search: { index: "descriptor", maxTokens: 1000 },
	});
	await worker.describe("Relamping");
	const places = async (more: Partial<AtDoor<SearchQuery>>) => {
		const query = { query: "burnt-out bulb, bread", door: "chat", ...more } as const;
		return (await worker.knowledge.search(query, never)).hits.map(({ path }) => path).sort();
	};
	assert.deepEqual(await places({}), ["relamping.md"]);
	assert.deepEqual(await worker.described({ query: QUESTION, index: "content" }), []);
	assert.ok((await places({ index: "content" })).includes("bread.md"));
	assert.deepEqual(await places({ index: "descriptor", threshold: 1.1 }), []);
	assert.deepEqual(await places({ maxTokens: 1 }), []);
});

test("a read-only index is searched by its descriptions, refuses to be described, and so does one that another keeps", async (t) => {
	const maker = await makeWorkspace(t, FILES);
	const shared = join(maker.dataFolder, "shared");
	const writer = await open(t, maker, { storage: { uri: shared } });
	await writer.index();
	await writer.describe("Relamping");
	const other = await open(t, maker, { storage: { uri: shared } });
	const busy = { code: "BUSY", message: /keeps this index/ };
	await assert.rejects(other.descriptions.undescribed(1, never), busy);
	const user = await makeWorkspace(t, FILES);
	const reader = await open(t, user, { storage: { uri: shared, readOnly: true } });
	assert.deepEqual(await reader.described(), ["relamping.md"]);
	const refused = { code: "READ_ONLY", message: /setting copilot-LD\.storage\.options\.readOnly/ };
	await assert.rejects(reader.descriptions.undescribed(1, never), refused);
	await assert.rejects(reader.descriptions.describe("1", BULB, never), refused);
});

test("an endpoint embeds each description once, and while it is away words find them", async (t) => {
	const fake = await serveEmbeddings(t);
	const worker = await open(t, await makeWorkspace(t, FILES), endpointSettings(fake.endpoint));
	await worker.index();
	await worker.untilStatus(isComplete("openai-compatible/words"));
	await worker.describe("Relamping");
	const timesAsked = (descriptor: Descriptor) =>
		fake.asked.flatMap(({ input }) => input).filter((text) => text.includes(descriptor.purpose)).length;
	while (timesAsked(BULB) === 0) assert.deepEqual(await worker.described(), ["relamping.md"]);
	const bread = { purpose: "Bake loaves", applicability: "when hungry", evaluation: "crumbs" };
	await worker.describe("Bread", bread);
	while (timesAsked(bread) === 0) assert.equal((await worker.described({ query: "hungry" }))[0], "bread.md");
	assert.deepEqual([timesAsked(BULB), timesAsked(bread)], [1, 1]);
	fake.stop();
	assert.equal((await worker.described({ query: "hungry" }))[0], "bread.md");
});
