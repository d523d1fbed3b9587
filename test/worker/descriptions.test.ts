import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Descriptor } from "../../src/core/knowledge/descriptor.ts";
import type { SearchQuery } from "../../src/core/knowledge/knowledge.ts";
import type { Channel } from "../../src/core/permission/permission.ts";
import type { WorkerOptions } from "../../src/protocol/worker.ts";
import { serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { endpointSettings, isComplete } from "./embedding/embeddingWorker.ts";
import { type Files, makeWorkspace, never, startIn, type Workspace } from "./workspace.ts";

const RELAMPING = "# Relamping\n\nPin the lens. Wear cotton gloves.\n";
const BREAD = "# Bread\n\nIt rises at night.\n";
const FILES = { "relamping.md": RELAMPING, "bread.md": BREAD };

/** A description without any word of the files. */
const BULB: Descriptor = {
	purpose: "Replace a burnt-out bulb step by step",
	applicability: "when a beacon stays dark",
	evaluation: "all flashes are equally bright",
};

const QUESTION = "How do I replace a burnt-out bulb of a beacon?";

async function open(t: TestContext, workspace: Workspace, options: Partial<WorkerOptions> = {}) {
	const worker = await startIn(t, workspace, options);
	const { descriptions } = worker;
	const undescribed = async () => (await descriptions.undescribed(100, never)).documents;
	return {
		...worker,
		describe: async (title: string, descriptor = BULB) => {
			const document = (await undescribed()).find((one) => one.title === title);
			await descriptions.describe(document?.hash ?? assert.fail(title), descriptor, never);
		},
		described: async (query: SearchQuery & { readonly channel?: Channel } = { query: QUESTION }) => {
			const { hits } = await worker.knowledge.search({ channel: "chat", ...query }, never);
			return hits.flatMap(({ path, why }) => (why.descriptor === undefined ? [] : [path]));
		},
		titles: async () => (await undescribed()).map(({ title }) => title).sort(),
	};
}

async function openIndexed(t: TestContext, files: Files = FILES, options: Partial<WorkerOptions> = {}) {
	const workspace = await makeWorkspace(t, files);
	const worker = await open(t, workspace, options);
	await worker.index();
	return { workspace, worker };
}

test("a description finds its document, also after a move of the document, until an edit", async (t) => {
	const { workspace, worker } = await openIndexed(t, { ...FILES, "copy.md": BREAD, "picture.png": "" });
	assert.deepEqual(await worker.described(), []);
	await worker.describe("Relamping");
	assert.equal((await worker.knowledge.status(never)).described, 1);
	const { documents, total } = await worker.descriptions.undescribed(9, never);
	assert.equal(total, 1, "files of the same content share a description");
	assertMapped(documents, ({ title, text }) => [title, text.includes("rises at night")], [["Bread", true]]);
	const { hits } = await worker.search(QUESTION);
	assert.deepEqual([hits[0]?.path, hits[0]?.why.descriptor], ["relamping.md", 1]);
	assert.ok(!JSON.stringify(hits).includes(BULB.purpose), "a model's words are not the document's text");
	await workspace.move("relamping.md", "old/lamp.md");
	await worker.index();
	assert.deepEqual(await worker.described(), ["old/lamp.md"]);
	await workspace.write({ "old/lamp.md": `${RELAMPING}\nAnd a hat.\n` });
	await worker.index();
	assert.deepEqual([await worker.described(), await worker.titles()], [[], ["Bread", "Relamping"]]);
	await workspace.write({ "old/lamp.md": RELAMPING });
	await worker.index();
	assert.deepEqual(await worker.described(), ["old/lamp.md"]);
});

test("a document hidden from the chat is not described, and descriptions reveal no hidden content", async (t) => {
	const policy = (rules: string) => ({ ".copilot-ld/config.yaml": `policy:\n${rules}` });
	const pay = "<https://example.org/eva> <https://example.org/salary> 4711 .\n";
	const { workspace, worker } = await openIndexed(t, { ...FILES, "pay.ttl": pay });
	await worker.describe("Relamping");
	await worker.describe("pay.ttl", { ...BULB, evaluation: "wages" });
	await workspace.write(policy("  - deny: {paths: [relamping.md]}\n    channels: [mcp]\n"));
	assert.deepEqual(await worker.described({ query: QUESTION, channel: "mcp", sources: ["relamping"] }), []);
	assert.deepEqual(await worker.described({ query: "beacon", channel: "mcp" }), ["pay.ttl"]);
	assert.deepEqual((await worker.described({ query: "beacon" })).sort(), ["pay.ttl", "relamping.md"]);
	await workspace.write(policy("  - deny: {properties: [salary]}\n    channels: [tools]\n"));
	for (const chosen of [{}, { index: "descriptor" }] as const) {
		const found = await worker.described({ query: "beacon wages", channel: "tools", ...chosen });
		assert.deepEqual(found, ["relamping.md"]);
	}
	await workspace.write(policy("  - deny: {paths: [bread.md]}\n  - deny: {properties: [bonus]}\n"));
	assert.deepEqual(await worker.titles(), []);
	await workspace.write(policy("  - deny: {properties: [bonus]}\n"));
	assert.deepEqual(await worker.titles(), ["Bread"]);
});

test("an option of the worker limits searches to descriptions", async (t) => {
	const { worker } = await openIndexed(t, FILES, { search: { index: "descriptor" } });
	await worker.describe("Relamping");
	const query = { query: "burnt-out bulb, bread", channel: "chat" } as const;
	const { hits } = await worker.knowledge.search(query, never);
	assertMapped(hits, ({ path }) => path, ["relamping.md"]);
	const whole = await worker.knowledge.search({ ...query, index: "content" }, never);
	assert.ok(whole.hits.some(({ path }) => path === "bread.md"));
});

test("a read-only or locked index refuses new descriptions; old descriptions of a read-only index are searched", async (t) => {
	const maker = await makeWorkspace(t, FILES);
	const shared = join(maker.dataFolder, "shared");
	const writer = await open(t, maker, { storage: { uri: shared } });
	await writer.index();
	await writer.describe("Relamping");
	const other = await open(t, maker, { storage: { uri: shared } });
	await assert.rejects(other.titles(), { code: "BUSY", message: /keeps this index/ });
	const user = await makeWorkspace(t, FILES);
	const reader = await open(t, user, { storage: { uri: shared, readOnly: true } });
	assert.deepEqual(await reader.described(), ["relamping.md"]);
	const refused = { code: "READ_ONLY", message: /setting copilot-LD\.storage\.options\.readOnly/ };
	await assert.rejects(reader.titles(), refused);
	await assert.rejects(reader.descriptions.describe("1", BULB, never), refused);
});

test("an endpoint embeds each description once, and words find descriptions while the endpoint is down", async (t) => {
	const fake = await serveEmbeddings(t);
	const { worker } = await openIndexed(t, FILES, endpointSettings(fake.endpoint));
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
