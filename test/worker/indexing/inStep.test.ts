import assert from "node:assert/strict";
import { basename, join, posix, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createLock } from "../../../src/base/files/lock.ts";
import { openStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import type { Match } from "../../../src/search/match.ts";
import { openStore } from "../../../src/store/openStore.ts";
import type { Store } from "../../../src/store/port/store.ts";
import { createSources } from "../../../src/worker/files/sources.ts";
import { createIndexer, createReadersNote } from "../../../src/worker/indexing/indexer.ts";
import { createParserPool, type ParserPool } from "../../../src/worker/parsing/parserProcess.ts";
import { createDice } from "../../support/random.ts";
import { makeWorkspace, never, type Workspace } from "../workspace.ts";

/** Set this variable to run more sequences, for example `COPILOT_LD_SEQUENCES=2000`. */
const { COPILOT_LD_SEQUENCES: SEQUENCES = "10" } = process.env;
const EDITS = 12;
const modelFolder = resolve("media/model");
const embedder = await openStaticEmbedder(modelFolder);

type Dice = ReturnType<typeof createDice>;
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

async function write(workspace: Workspace, dice: Dice): Promise<string[]> {
	const kind = pick(Object.keys(contents), dice) ?? "";
	const name = `${pick(FOLDERS, dice)}${kind === "gitignore" ? ".gitignore" : `f${dice(6)}.${kind}`}`;
	const words = [1, 2, 3].map(() => pick(WORDS, dice)).join(" ");
	await workspace.write({ [name]: contents[kind]?.(words, dice(4)) ?? "" });
	return [name];
}

/** Makes a random edit; resolves to the names that an editor would report. */
async function edit(workspace: Workspace, dice: Dice): Promise<string[]> {
	const way = dice(8);
	if (way < 4) return write(workspace, dice);
	const files = await workspace.list();
	const folders = new Set(files.filter((name) => name.includes("/")).map((name) => posix.dirname(name)));
	const name = pick(way < 6 ? files : [...folders], dice);
	if (name === undefined) return [];
	if (way % 2 === 0) {
		await workspace.remove(name);
		return [name];
	}
	const moved = `${pick(FOLDERS, dice)}moved${dice(9)}${posix.extname(name)}`;
	const target = way === 5 ? moved : `renamed${dice(1_000_000)}`;
	await workspace.move(name, target);
	return [name, target];
}

function pick<Item>(items: readonly Item[], dice: Dice): Item | undefined {
	return items[dice(Math.max(1, items.length))];
}

async function openIndex({ folder, dataFolder: home }: Workspace, parsers: ParserPool, name: string) {
	const dataFolder = join(home, name);
	const store = await openStore({ folder: join(dataFolder, "index"), embedder });
	const sources = createSources({ dataFolder: home, folders: [folder], excludes: [] });
	const lock = createLock(dataFolder);
	const parts = { store, parsers, lock, sources, onError: assert.ifError };
	const { sync, syncPaths, close } = createIndexer({ ...parts, readers: createReadersNote(dataFolder) });
	return {
		store,
		sync: () => sync({ rebuild: false }, () => undefined, never),
		syncPaths: (paths: readonly string[]) => syncPaths(paths, { force: false }, never),
		close: async () => {
			await close();
			await store.close();
			await lock.release();
		},
	};
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
async function follow(index: Awaited<ReturnType<typeof openIndex>>, reported: Set<string>, dice: Dice) {
	const way = dice(5);
	if (way === 0) return;
	const changesRules = [...reported].some((path) => basename(path) === ".gitignore");
	await (way === 1 || changesRules ? index.sync() : index.syncPaths([...reported]));
	reported.clear();
	if (way === 2) await index.store.optimize();
}

async function runSequence(t: TestContext, parsers: ParserPool, seed: number): Promise<void> {
	const dice = createDice(seed);
	const workspace = await makeWorkspace(t);
	const index = await openIndex(workspace, parsers, "edited");
	const reported = new Set<string>();
	for (let count = 0; count < EDITS; count++) {
		for (const name of await edit(workspace, dice)) reported.add(workspace.path(name));
		await follow(index, reported, dice);
	}
	await index.sync();
	const fresh = await openIndex(workspace, parsers, "fresh");
	await fresh.sync();
	assert.deepEqual(await rowsOf(index.store), await rowsOf(fresh.store), `seed ${seed}`);
	await Promise.all([index.close(), fresh.close()]);
}

test(`after ${SEQUENCES} random sequences of edits, the index equals a fresh index row by row`, async (t) => {
	const program = resolve("src/worker/parsing/parserProgram.ts");
	const options = { program, options: { modelFolder }, limitMs: 60_000, maxHeapMb: 1024 };
	const parsers = createParserPool(options, 2);
	t.after(() => parsers.close());
	for (let seed = 1; seed <= Number(SEQUENCES); seed++) await runSequence(t, parsers, seed);
});
