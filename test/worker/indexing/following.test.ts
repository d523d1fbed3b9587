import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createLock } from "../../../src/base/files/lock.ts";
import { filesChanged } from "../../../src/protocol/worker.ts";
import { openStore } from "../../../src/store/openStore.ts";
import { createSources } from "../../../src/worker/files/sources.ts";
import { createIndexer, createReadersNote, type Indexer } from "../../../src/worker/indexing/indexer.ts";
import { createParserPool } from "../../../src/worker/parsing/parserProcess.ts";
import { untilIt } from "../../support/untilIt.ts";
import { manyFiles } from "../embedding/embeddingWorker.ts";
import { type Files, makeWorkspace, never, startIn, startIndexed, unheard } from "../workspace.ts";

const FILES: Files = { "a.md": "# A\n\nOld a.\n", "b.md": "# B\n\nOld b.\n", "c.md": "# C\n\nOld c.\n" };

/** Opens an indexer whose parser calls `onParse` with every file's name before it reads the file. */
async function open(t: TestContext, { files = FILES } = {}) {
	const workspace = await makeWorkspace(t, files);
	const { folder, dataFolder } = workspace;
	const store = await openStore({ folder: join(dataFolder, "index"), embedder: undefined });
	const sources = createSources({ dataFolder, folders: [folder], excludes: [] });
	const program = resolve("src/worker/parsing/parserProgram.ts");
	const real = createParserPool({ program, options: {}, limitMs: 60_000, maxHeapMb: 1024 }, 1);
	const parsed: string[] = [];
	const watched = { onParse: (_name: string): Promise<void> | undefined => undefined };
	const lock = createLock(dataFolder);
	const parse: typeof real.parse = async (request, signal) => {
		const name = sources.pathOf(request.uri);
		parsed.push(name);
		await watched.onParse(name);
		return real.parse(request, signal);
	};
	// The workspace may be deleted while the index is being tidied.
	const parts = { store, lock, sources, parsers: { ...real, parse }, onError: () => undefined };
	const [indexer, next] = [1, 2].map((version) =>
		createIndexer({ ...parts, readers: createReadersNote(dataFolder, version) }),
	) as [Indexer, Indexer];
	t.after(async () => {
		await Promise.all([indexer.close(), next.close()]);
		await real.close();
		await store.close();
		await lock.release();
	});
	return {
		...{ workspace, store, indexer, parsed, watched },
		/** Has a newer version of the readers. */
		next,
		sync: (signal = never) => indexer.sync({ rebuild: false }, unheard, signal),
		texts: async () => {
			const uris = [...store.documents().keys()].sort();
			const passages = await Promise.all(uris.map((uri) => store.passagesOf(uri)));
			return passages.flat().map(({ text }) => text);
		},
	};
}

test("a forced run and the first run of newer readers read unchanged files again", async (t) => {
	const { indexer, next, sync, workspace, parsed, texts } = await open(t);
	await sync();
	parsed.length = 0;
	const paths = [workspace.path("b.md")];
	const { indexed, removed } = await indexer.syncPaths(paths, { force: true }, never);
	assert.deepEqual([indexed, removed, parsed], [1, 0, ["b.md"]]);
	assert.equal((await indexer.syncPaths(paths, { force: false }, never)).unchanged, 1);
	const again = () => next.sync({ rebuild: false }, unheard, never);
	const report = await again();
	assert.deepEqual([report.indexed, report.removed], [3, 0]);
	assert.equal((await again()).unchanged, 3);
	assert.deepEqual(await texts(), ["Old a.", "Old b.", "Old c."]);
});

test("a file that takes long does not delay other files", async (t) => {
	const { indexer, watched, store } = await open(t, { files: manyFiles(40) });
	const held = Promise.withResolvers<void>();
	watched.onParse = (name) => (name === "many/0.md" ? held.promise : undefined);
	const others = Promise.withResolvers<void>();
	const run = indexer.sync({ rebuild: false }, ({ found }) => found === 39 && others.resolve(), never);
	await others.promise;
	assert.equal(store.documents().size, 39);
	held.resolve();
	assert.equal((await run).indexed, 40);
});

test("changes are indexed between two files of a full run, and the run does not undo the changes", async (t) => {
	const files = { "0.md": "# 0\n\nOld 0.\n", ...FILES };
	const { indexer, sync, workspace, parsed, watched, texts } = await open(t, { files });
	const order: string[] = [];
	watched.onParse = async (name) => {
		if (name !== "b.md" || order.length > 0) return;
		order.push("change");
		// Files before b.md are already read but not written; c.md is not yet read.
		const newOf = (name: string) => [`${name.toLowerCase()}.md`, `# ${name}\n\nNew ${name.toLowerCase()}.\n`];
		await workspace.write(Object.fromEntries(["A", "C", "D"].map(newOf)));
		await workspace.remove("0.md");
		const paths = ["0.md", "a.md", "c.md", "d.md"].map(workspace.path);
		void indexer.syncPaths(paths, { force: false }, never).then(() => order.push("edit"));
	};
	const report = await sync().finally(() => order.push("all"));
	assert.deepEqual(order, ["change", "edit", "all"]);
	assert.deepEqual(parsed, ["0.md", "a.md", "b.md", "a.md", "c.md", "d.md"]);
	assert.deepEqual([report.indexed, report.unchanged], [3, 1]);
	assert.deepEqual(await texts(), ["New a.", "Old b.", "New c.", "New d."]);
});

test("a paused run waits between two files, writes the results so far, and continues", async (t) => {
	const { indexer, sync, workspace, parsed, watched, texts } = await open(t);
	const paused = Promise.withResolvers<void>();
	watched.onParse = async (name) => {
		if (name !== "b.md" || parsed.length > 2) return;
		indexer.pause(true);
		paused.resolve();
	};
	const full = sync();
	await paused.promise;
	await workspace.write({ "a.md": "# A\n\nNew a.\n" });
	const edit = indexer.syncPaths([workspace.path("a.md")], { force: false }, never);
	while ((await texts()).length < 2) await setImmediate();
	assert.deepEqual([indexer.isPaused, parsed], [true, ["a.md", "b.md"]]);
	indexer.pause(false);
	await Promise.all([full, edit]);
	assert.deepEqual(await texts(), ["New a.", "Old b.", "Old c."]);
});

test("a run that must see later changes does not join a run in progress", async (t) => {
	const { indexer, sync, workspace, watched } = await open(t);
	const second = Promise.withResolvers<number>();
	watched.onParse = async (name) => {
		if (name !== "c.md") return;
		watched.onParse = () => undefined;
		await workspace.write({ ".gitignore": "b.md\n" });
		indexer
			.sync({ rebuild: false, fresh: true }, unheard, never)
			.then(({ removed }) => second.resolve(removed), second.reject);
	};
	await sync();
	assert.equal(await second.promise, 1);
});

test("a second process names the process that holds the index, and takes over when the first process ends", async (t) => {
	const files = { "lamp.md": "# Lamp\n\nThe lamp of Skagen is lit at dusk.\n" };
	const name = "The MCP server of a [test](command:x)";
	const { workspace, ...keeper } = await startIndexed(t, files, { name });
	const other = await startIn(t, workspace);
	await other.search("lamp");
	const who = `The MCP server of a testcommandx \\(process ${keeper.process.pid}\\) keeps this index up to date`;
	const message = new RegExp(`${who}.*search it here as usual`);
	await assert.rejects(other.index(), { code: "BUSY", message });
	await assert.rejects(other.index(true), {
		code: "BUSY",
		message: new RegExp(`${who}.*close that program`),
	});
	await workspace.write({ "storm.md": "# Storm\n\nThe storm of 1902.\n" });
	await other.connection.sendNotification(filesChanged, { uris: [workspace.uri("storm.md")] });
	const search = () => other.search("storm of 1902");
	assert.ok((await search()).hits.every(({ path }) => path !== "storm.md"));
	await keeper.kill();
	await untilIt(search, ({ hits: [best] }) => best?.path === "storm.md");
});
