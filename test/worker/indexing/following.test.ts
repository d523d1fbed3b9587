import assert from "node:assert/strict";
import { basename, join, posix, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createLock } from "../../../src/base/files/lock.ts";
import { openStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { filesChanged } from "../../../src/protocol/worker.ts";
import type { Match } from "../../../src/search/match.ts";
import { openStore, type StoreOptions } from "../../../src/store/openStore.ts";
import type { Store } from "../../../src/store/port/store.ts";
import { createSources } from "../../../src/worker/files/sources.ts";
import { createIndexer, createReadersNote, type Indexer } from "../../../src/worker/indexing/indexer.ts";
import { createParserPool, type ParserPool } from "../../../src/worker/parsing/parserProcess.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { untilIt } from "../../support/untilIt.ts";
import { manyFiles } from "../embedding/embeddingWorker.ts";
import {
	type Files,
	makeWorkspace,
	never,
	startIn,
	startIndexed,
	unheard,
	type Workspace,
} from "../workspace.ts";

const FILES: Files = { "a.md": "# A\n\nOld a.\n", "b.md": "# B\n\nOld b.\n", "c.md": "# C\n\nOld c.\n" };

const PROGRAM = { program: resolve("src/worker/parsing/parserProgram.ts"), limitMs: 60_000, maxHeapMb: 1024 };

type Opening = Pick<StoreOptions, "embedder"> & { name?: string; onError?: (thrown: unknown) => void };

/** Opens an index in its own folder of the data folder. */
async function openIndex({ folder, dataFolder: home }: Workspace, parsers: ParserPool, opening: Opening) {
	const { name = ".", onError = assert.ifError, embedder } = opening;
	const dataFolder = join(home, name);
	const store = await openStore({ folder: join(dataFolder, "index"), embedder });
	const sources = createSources({ dataFolder: home, folders: [folder], excludes: [] });
	const lock = createLock(dataFolder);
	const parts = { store, parsers, lock, sources, onError };
	const [indexer, next] = [1, 2].map((version) =>
		createIndexer({ ...parts, readers: createReadersNote(dataFolder, version) }),
	) as [Indexer, Indexer];
	return {
		...{ store, indexer },
		/** Has a newer version of the readers. */
		next,
		sync: () => indexer.sync({ rebuild: false }, unheard, never),
		close: async () => {
			await Promise.all([indexer.close(), next.close()]);
			await store.close();
			await lock.release();
		},
	};
}

/** Opens an index whose parser calls `onParse` with every file's name before it reads the file. */
async function open(t: TestContext, { files = FILES } = {}) {
	const workspace = await makeWorkspace(t, files);
	const real = createParserPool({ ...PROGRAM, options: {} }, 1);
	const parsed: string[] = [];
	const watched = { onParse: (_name: string): Promise<void> | undefined => undefined };
	const parse: typeof real.parse = async (request, signal) => {
		const name = request.uri.slice(workspace.uri("x").length - 1);
		parsed.push(name);
		await watched.onParse(name);
		return real.parse(request, signal);
	};
	// The workspace may be deleted while the index is being tidied.
	const opening = { embedder: undefined, onError: () => undefined };
	const index = await openIndex(workspace, { ...real, parse }, opening);
	const { store } = index;
	t.after(() => index.close().then(real.close));
	return {
		...{ ...index, workspace, parsed, watched },
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

/** Set this variable to run more sequences, for example `COPILOT_LD_SEQUENCES=2000`. */
const { COPILOT_LD_SEQUENCES: SEQUENCES = "10" } = process.env;
const EDITS = 12;
const modelFolder = resolve("media/model");
const embedder = await openStaticEmbedder(modelFolder);

const FOLDERS = ["", "docs/", "docs/deep/", "notes/", "a b#c/"];
const WORDS = ["lamp", "oil", "storm", "keeper", "harbour", "fog", "bell", "rope", "tide", "signal"];

const contents: Readonly<Record<string, (words: string, id: number) => string | Uint8Array>> = {
	md: (words, id) =>
		`---\ntitle: Note ${id}\n---\n# ${words}\n\nOf ${words}.\n\n## Part ${id}\n\n${words}.\n`,
	txt: (words) => `${words}\n\n${words} ${words}\n`,
	ts: (words, id) => `/** ${words} */\nfunction part${id}() {\n\treturn "${words}";\n}\n`,
	html: (words, id) =>
		`<title>${words}</title>\n<div itemscope itemtype="https://schema.org/Thing" itemid="https://example.org/${id}">\n<b itemprop="name">${words}</b>\n<i itemprop="about" itemscope><u itemprop="name">inner ${words}</u></i></div>\n`,
	png: () => new Uint8Array([137, 80, 78, 71, 0]),
	gitignore: (_words, id) => `*.${["txt", "tmp", "ts"][id % 3]}\n`,
};

async function write(workspace: Workspace, random: Random): Promise<string[]> {
	const kind = random.pick(Object.keys(contents));
	const name = `${random.pick(FOLDERS)}${kind === "gitignore" ? ".gitignore" : `f${random.below(6)}.${kind}`}`;
	const words = [1, 2, 3].map(() => random.pick(WORDS)).join(" ");
	await workspace.write({ [name]: contents[kind]?.(words, random.below(4)) ?? "" });
	return [name];
}

/** Makes a random edit; resolves to the names that an editor would report. */
async function edit(workspace: Workspace, random: Random): Promise<string[]> {
	const way = random.below(8);
	if (way < 4) return write(workspace, random);
	const files = await workspace.list();
	const folders = new Set(files.filter((name) => name.includes("/")).map((name) => posix.dirname(name)));
	const name = random.pick<string | undefined>(way < 6 ? files : [...folders]);
	if (name === undefined) return [];
	if (way % 2 === 0) {
		await workspace.remove(name);
		return [name];
	}
	const moved = `${random.pick(FOLDERS)}moved${random.below(9)}${posix.extname(name)}`;
	const target = way === 5 ? moved : `renamed${random.below(1_000_000)}`;
	await workspace.move(name, target);
	return [name, target];
}

async function rowsOf(store: Store) {
	const uris = [...store.documents().keys()].sort();
	const statements = await store.statementsOf(uris);
	const vector = await embedder.embed(["keeper of the lamp"]);
	return {
		records: uris.map((uri) => ({ ...store.documents().get(uri), modifiedMs: 0 })),
		passages: await Promise.all(uris.map((uri) => store.passagesOf(uri))),
		statements: uris.map((uri) => statements.get(uri)),
		vectors: await foundIn(await store.matchVector(vector, { limit: 9 }), store),
		typical: await store.typicalCosine(vector),
		words: await foundIn((await store.matchText("lamp storm", { limit: 9 })).matches, store),
		total: (await store.matchText("lamp storm", { limit: 0 })).total,
	};
}

/** Ids and scores of found passages, independent of the order of writing. */
async function foundIn(matches: readonly Match[], store: Store) {
	const passages = await store.read(matches.map(({ row }) => row));
	return matches.map(({ row, score }) => ({ id: passages.get(row)?.id ?? `row ${row}`, score }));
}

/** Updates the index at random: with the reported paths, with all files, or not yet. */
async function follow(index: Awaited<ReturnType<typeof openIndex>>, reported: Set<string>, random: Random) {
	const way = random.below(5);
	if (way === 0) return;
	const changesRules = [...reported].some((path) => basename(path) === ".gitignore");
	await (way === 1 || changesRules
		? index.sync()
		: index.indexer.syncPaths([...reported], { force: false }, never));
	reported.clear();
	if (way === 2) await index.store.optimize();
}

async function runSequence(t: TestContext, parsers: ParserPool, seed: number): Promise<void> {
	const random = createRandom(seed);
	const workspace = await makeWorkspace(t);
	const index = await openIndex(workspace, parsers, { name: "edited", embedder });
	const reported = new Set<string>();
	for (let count = 0; count < EDITS; count++) {
		for (const name of await edit(workspace, random)) reported.add(workspace.path(name));
		await follow(index, reported, random);
	}
	await index.sync();
	const fresh = await openIndex(workspace, parsers, { name: "fresh", embedder });
	await fresh.sync();
	assert.deepEqual(await rowsOf(index.store), await rowsOf(fresh.store), `seed ${seed}`);
	await Promise.all([index.close(), fresh.close()]);
}

test(`after ${SEQUENCES} random sequences of edits, the index equals a fresh index row by row`, async (t) => {
	const parsers = createParserPool({ ...PROGRAM, options: { modelFolder } }, 2);
	t.after(() => parsers.close());
	for (let seed = 1; seed <= Number(SEQUENCES); seed++) await runSequence(t, parsers, seed);
});
