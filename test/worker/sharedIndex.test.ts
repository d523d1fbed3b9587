import assert from "node:assert/strict";
import { access, chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { IndexProgress } from "../../src/core/knowledge/knowledge.ts";
import { serveObjects } from "./objectStore.ts";
import { makeWorkspace, never, startIn, startIndexed } from "./workspace.ts";

const FILES = {
	"lighthouses.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n",
	"people.ttl": `@prefix s: <https://schema.org/> .
<#anna> a s:Person ; s:name "Anna Holm" ; s:knows <#bo> . <#bo> a s:Person ; s:name "Bo" .
`,
};

/** Makes an index in its own folder and ends its writer. */
async function makeShared(t: TestContext) {
	const maker = await makeWorkspace(t, FILES);
	const shared = join(maker.dataFolder, "shared");
	const writer = await startIn(t, maker, { storage: { uri: shared } });
	await writer.index();
	await writer.stop();
	return { maker, shared };
}

test("workers write, search and share an index in an object store; the store refuses wrong credentials", async (t) => {
	const { storage, secrets } = await serveObjects(t);
	const workspace = await makeWorkspace(t, FILES);
	const writer = await startIn(t, workspace, { storage }, secrets);
	assert.equal((await writer.index()).indexed, 2);
	const [hit] = (await writer.search("When is the lamp lit?")).hits;
	assert.deepEqual([hit?.path, ...Object.keys(hit?.why ?? {}).sort()], ["lighthouses.md", "text", "vector"]);
	const reader = await startIn(t, workspace, { storage: { ...storage, readOnly: true } }, secrets);
	assert.equal((await reader.search("dusk")).hits[0]?.path, "lighthouses.md");
	await workspace.write({ "storm.md": "# Storm\n\nThe storm of 1902.\n" });
	await workspace.remove("lighthouses.md");
	assert.equal((await writer.index()).indexed, 1);
	assert.equal((await reader.search("storm of 1902")).hits[0]?.path, "storm.md");
	assert.ok((await reader.search("dusk")).hits.every(({ path }) => path !== "lighthouses.md"));
	await writer.stop();
	const again = await startIn(t, workspace, { storage }, secrets);
	assert.equal((await again.index()).unchanged, 2);
	const message = /^(?!.*not-this-one).*s3:\/\/team\/index denied access.*Set Storage Credentials/s;
	const wrong = () => "access_key_id=nobody secret_access_key=not-this-one";
	await assert.rejects((await startIn(t, workspace, { storage }, wrong)).search("dusk"), { message });
});

test("a read-only index is searched from another folder, cites local files or names a closed folder, and refuses writes", async (t) => {
	const { maker, shared } = await makeShared(t);
	const user = await makeWorkspace(t, FILES);
	const reader = await startIn(t, user, { storage: { uri: shared, readOnly: true } });
	const { hits } = await reader.search("When is the lamp lit?");
	assert.deepEqual([hits[0]?.uri, hits[0]?.path], [user.uri("lighthouses.md"), "lighthouses.md"]);
	const named = await reader.search("Whom does Anna Holm know?");
	assert.deepEqual([named.hits[0]?.uri, named.hits[0]?.why.entity], [user.uri("people.ttl"), 1]);
	const { parts } = await reader.knowledge.read({ target: "lighthouses.md:3", channel: "chat" }, never);
	assert.equal(parts[0]?.text, "The lamp of Skagen is lit at dusk.");
	const target = `${user.uri("people.ttl")}#anna`;
	const anna = await reader.knowledge.read({ target, channel: "chat" }, never);
	assert.match(anna.links.join("\n"), /Bo/);
	const refused = { code: "READ_ONLY", message: /setting copilot-LD\.storage\.options\.readOnly/ };
	await assert.rejects(reader.index(), refused);
	await assert.rejects(reader.index(true), refused);
	await assert.rejects(reader.catalog.reindex([user.uri("people.ttl")], never), refused);
	const { notices, documents } = await reader.knowledge.status(never);
	assert.deepEqual([documents, notices.length], [2, 1]);
	assert.match(notices[0] ?? "", /opened read-only/);
	const folders = ["one", "two"].map((name) => ({ uri: user.uri(name), name }));
	const elsewhere = await startIn(t, user, { folders, storage: { uri: shared, readOnly: true } });
	const found = await elsewhere.search("lamp");
	assert.equal(found.hits[0]?.uri, maker.uri("lighthouses.md"));
	assert.match(found.notices.join(), /made from the folder "files", which is not open here, so/);
});

const skip = process.getuid?.() === 0 && "The root user may write everywhere.";

test("an index without write permission is searched and refuses writes", { skip }, async (t) => {
	const { maker: workspace, shared } = await makeShared(t);
	await chmod(shared, 0o555);
	t.after(() => chmod(shared, 0o755));
	const reader = await startIn(t, workspace, { storage: { uri: shared } });
	assert.equal((await reader.search("lamp")).hits[0]?.path, "lighthouses.md");
	await assert.rejects(reader.index(), { code: "READ_ONLY", message: /you may not write there/ });
});

test("a missing read-only index and an invalid location are refused with a message", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	for (const uri of ["some/folder", "ftp://host/index", "s3://"]) {
		const { index } = await startIn(t, workspace, { storage: { uri } });
		await assert.rejects(index(), { code: "BAD_INPUT", message: /storage\.uri/ });
	}
	const storage = { uri: join(workspace.dataFolder, "nowhere"), readOnly: true };
	const worker = await startIn(t, workspace, { storage });
	await assert.rejects(worker.search("lamp"), { code: "NO_INDEX", message: /storage\.uri/ });
	await assert.rejects(access(join(storage.uri, "indexer.lock")), { code: "ENOENT" });
});

test("a cleared index is empty until the next run, and the next start finishes an interrupted clearing", async (t) => {
	const { workspace, indexData, ...worker } = await startIndexed(t, FILES);
	const { index: before } = await indexData.sizes(never);
	await indexData.clear("index", never);
	const { index: after } = await indexData.sizes(never);
	assert.deepEqual([before.items, after.items, before.bytes > 1000 + after.bytes], [2, 0, true]);
	assert.deepEqual((await worker.search("lamp")).hits, []);
	assert.equal((await worker.knowledge.status(never)).state, "empty");
	assert.equal((await worker.index()).indexed, 2);
	assert.equal((await worker.search("When is the lamp lit?")).hits[0]?.path, "lighthouses.md");
	await worker.stop();
	await writeFile(join(workspace.dataFolder, "clearing"), "begun\n");
	const again = await startIn(t, workspace);
	assert.equal((await again.knowledge.status(never)).state, "empty");
	assert.equal((await again.index()).indexed, 2);
});

test("an index is not cleared during a run or by a process without the lock", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const { knowledge, indexData, catalog } = await startIn(t, workspace);
	await catalog.pause(true, never);
	const begun = Promise.withResolvers<IndexProgress>();
	const run = knowledge.index({ rebuild: false }, begun.resolve, never);
	await begun.promise;
	await assert.rejects(indexData.clear("index", never), { code: "BUSY", message: /Wait for this to finish/ });
	await catalog.pause(false, never);
	await run;
	const { indexData: other } = await startIn(t, workspace);
	const refused = { code: "BUSY", message: /Only that program may clear/ };
	await assert.rejects(other.clear("index", never), refused);
	assert.equal((await indexData.sizes(never)).index.items, 2);
});

test("only the owner can open the folder of an index", async (t) => {
	if (process.platform === "win32") return t.skip("Windows has no such modes");
	const workspace = await makeWorkspace(t);
	const before = process.umask(0);
	t.after(() => process.umask(before));
	await mkdir(workspace.dataFolder);
	const { knowledge } = await startIn(t, workspace);
	await knowledge.status(never);
	assert.equal((await stat(workspace.dataFolder)).mode & 0o777, 0o700);
});
