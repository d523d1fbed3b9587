import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { openStore } from "../../src/store/openStore.ts";
import type { EngineKind, Store } from "../../src/store/port/store.ts";
import { createTidying } from "../../src/worker/indexing/indexer.ts";
import { type Corpus, createCorpus, MODEL_FOLDER, QUESTIONS } from "./corpus.ts";
import { embeddedDocument, embeddedDocuments } from "./embedCorpus.ts";
import type { EditMeasurement, OpenedMeasurement, OwnMeasurement } from "./measurement.ts";
import { nearest } from "./peers/bruteForce.ts";
import { reportToParent, runMeasurement } from "./program.ts";
import { type Latency, latencyOf, timed, timeEach } from "./timing.ts";

/** Number of documents replaced one by one in memory; in LanceDB at most 100. */
const EDITS = 1000;
/** Maximum number of passages for edits: building a larger new index for comparison takes too long. */
const MOST_EDITED = 100_000;
/** Maximum number of vectors for a full scan. */
const MOST_COMPARED = 100_000;

const NAMES = { memory: "Copilot-LD", lancedb: "Copilot-LD, by LanceDB's indexes" } as const;

/** Maximum size of the copy in memory, in megabytes. */
const MEMORY_MB = { memory: 1_000_000, lancedb: 0 } as const;

/** Fills our own store with `size` passages, and queries the knowledge base on it. */
async function measureOurs(size: number, engine: EngineKind, most: number): Promise<OwnMeasurement> {
	const dataFolder = await mkdtemp(join(tmpdir(), "bench-"));
	const corpus = createCorpus();
	const embedder = await openStaticEmbedder(MODEL_FOLDER);
	const questions = corpus.questions(QUESTIONS);
	const { store, buildSeconds, vectors } = await fill({ dataFolder, corpus, embedder, size, engine });
	const recall = await recallOf(store, { embedder, questions, vectors });
	await store.close();

	const opened = await runMeasurement<OpenedMeasurement>("measureOpened.ts", [
		dataFolder,
		`${MEMORY_MB[engine]}`,
	]);
	const edited = await measureWrites({ dataFolder, corpus, embedder, size, engine, questions, most });
	await rm(dataFolder, { recursive: true });
	return {
		...{ engine: NAMES[engine], by: "all legs", size, ...opened },
		...{ buildSeconds, ...(recall !== undefined && { recall }), ...edited },
	};
}

interface Fill {
	readonly dataFolder: string;
	readonly corpus: Corpus;
	readonly embedder: Embedder;
	readonly size: number;
	readonly engine: EngineKind;
}

function openIn({ dataFolder, embedder, engine }: Fill): Promise<Store> {
	const memoryBytes = MEMORY_MB[engine] * 2 ** 20;
	return openStore({ folder: join(dataFolder, "index"), embedder, memoryBytes });
}

async function fill(setting: Fill) {
	const { corpus, embedder, size, engine } = setting;
	const store = await openIn(setting);
	const { dimensions } = embedder;
	const compared = Math.min(size, MOST_COMPARED);
	const vectors = new Float32Array(compared * dimensions);
	let passages = 0;
	const { ms } = await timed(async () => {
		for await (const batch of embeddedDocuments(corpus, embedder, Math.ceil(size / 10))) {
			for (const document of batch) {
				if (passages < compared) vectors.set(document.vectors, passages * dimensions);
				passages += document.passages.length;
			}
			await store.replace(batch);
		}
		await store.optimize();
	});
	const stored = [...store.documents().records()].reduce((sum, record) => sum + record.passages, 0);
	if (store.engine() !== engine) throw new Error(`The index is searched by ${store.engine()}.`);
	if (stored !== size || passages !== size) throw new Error(`${stored} of ${size} passages are stored.`);
	return { store, buildSeconds: ms / 1000, vectors: size === compared ? vectors : undefined };
}

/** The recall of the vector search; `undefined` without vectors to compare with. */
async function recallOf(
	store: Store,
	{
		embedder,
		questions,
		vectors,
	}: {
		readonly embedder: Embedder;
		readonly questions: readonly string[];
		readonly vectors: Float32Array | undefined;
	},
): Promise<number | undefined> {
	if (!vectors) return undefined;
	let found = 0;
	let wanted = 0;
	for (const question of questions.slice(0, 50)) {
		const query = await embedder.embed([question]);
		if (query.every((value) => value === 0)) continue;
		const scores = nearest(vectors, query).map((row) => cosineAt(vectors, query, row));
		const matches = await store.matchVector(query, { limit: scores.length });
		const worst = (scores.at(-1) ?? 0) - 1e-3;
		found += matches.filter(({ score }) => score >= worst).length;
		wanted += scores.length;
	}
	return found / wanted;
}

function cosineAt(vectors: Float32Array, query: Float32Array, row: number): number {
	const vector = vectors.subarray(row * query.length, (row + 1) * query.length);
	return query.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
}

/** Measures searches and replacements of documents, directly on the store. */
async function measureWrites(
	setting: Fill & { readonly questions: readonly string[]; readonly most: number },
): Promise<{ whileWriting: Latency; edits?: EditMeasurement }> {
	const { corpus, embedder, size, engine, questions, most } = setting;
	const store = await openIn(setting);
	const legs = async (query: string) => {
		const vector = await embedder.embed([query]);
		const [text, near] = await Promise.all([
			store.matchText(query, { limit: 100 }),
			store.matchVector(vector, { limit: 100 }),
		]);
		await store.read([...text.matches, ...near].slice(0, 30).map(({ row }) => row));
	};
	const rests = createRests(store);
	await rests.untilRested();
	const before = await timeEach(questions, legs);
	const bytesBefore = await store.bytesOnDisk();
	const count = size > MOST_EDITED || engine === "lancedb" ? 100 : Math.min(most, size / 10);
	const replaceTimes: number[] = [];
	const whileTimes: number[] = [];
	for (let edit = 0; edit < count; edit++) {
		const document = await embeddedDocument(corpus, embedder, edit % (size / 10), 1 + edit);
		const [replaced, searched] = await Promise.all([
			timed(() => store.replace([document])),
			timed(() => legs(questions[edit % questions.length] ?? "")),
		]);
		replaceTimes.push(replaced.ms);
		whileTimes.push(searched.ms);
		rests.changed();
	}
	const whileWriting = latencyOf(whileTimes);
	if (size > MOST_EDITED) {
		rests.close();
		await store.close();
		return { whileWriting };
	}
	const atOnceDiskShare = (await store.bytesOnDisk()) / bytesBefore;
	const { ms: restMs } = await timed(rests.untilRested);
	const after = await timeEach(questions, legs);
	const diskShare = (await store.bytesOnDisk()) / bytesBefore;
	await store.close();
	const replace = latencyOf(replaceTimes);
	return {
		whileWriting,
		edits: { documents: count, replace, before, after, restMs, atOnceDiskShare, diskShare },
	};
}

/** Tidies the store up as the worker does. */
function createRests(store: Store) {
	let rested = Promise.withResolvers<void>();
	const tidy = async () => {
		const leftMs = await store.optimize();
		if (leftMs === undefined) rested.resolve();
		return leftMs;
	};
	const tidying = createTidying(
		tidy,
		(work) => work(),
		(thrown) => rested.reject(thrown),
	);
	return {
		changed: tidying.changed,
		close: tidying.close,
		/** Settles when nothing is left to tidy up. */
		untilRested: async () => {
			rested = Promise.withResolvers();
			tidying.changed();
			await rested.promise;
		},
	};
}

const [, , size, engine, most = EDITS] = process.argv;
await reportToParent(measureOurs(Number(size), engine === "lancedb" ? "lancedb" : "memory", Number(most)));
