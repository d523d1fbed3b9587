import { messageOf } from "../base/failure.ts";
import { rememberLast } from "../base/jobs/lazily.ts";
import type { Database } from "./database/database.ts";
import { createSubjectPlaces } from "./database/passageReads.ts";
import { createLanceEngine } from "./lance/lanceEngine.ts";
import { areIndexed, makeIndexes } from "./lance/lanceIndexes.ts";
import type { SnapshotPlace } from "./memory/liveIndex.ts";
import { createMemoryEngine } from "./memory/memoryEngine.ts";
import type { SearchEngine } from "./port/engine.ts";
import type { EngineKind } from "./port/store.ts";
import type { Tables } from "./tables/tables.ts";

/** What a copy of an index may take in the memory of this process. By default 1 GB: some 600,000 passages. */
export const DEFAULT_MEMORY_BYTES = 2 ** 30;

/** Bytes that a passage takes in memory: its text and its terms, as measured in docs/bench.md; and a number of its vector. */
const PASSAGE_BYTES = 1500;
const NUMBER_BYTES = 9 / 8;

/** What is smaller by this part than what may be goes back into memory. */
const BACK = 0.8;

const MOST_ROWS = 2 ** 32;

export interface EnginesOptions {
	readonly place: SnapshotPlace;
	readonly memoryBytes: number;
}

export type Engines = ReturnType<typeof createEngines>;

/**
 * The engine that fits the index: memory, as long as it takes no more of it than is allowed; else LanceDB. The other
 * one takes its place between two questions; what LanceDB needs is made before, while memory answers.
 */
export function createEngines(database: Database, { place, memoryBytes }: EnginesOptions) {
	const closing = new AbortController();
	const open = createOpener(database, place, closing.signal);
	const preparation = createPreparation(database, closing.signal);
	let engine = open("memory");
	const isTooLarge = () => {
		const { manifest, tables } = database.snapshot();
		const bytes = manifest.passages * (PASSAGE_BYTES + NUMBER_BYTES * tables.dimensions);
		return bytes > (engine.kind === "memory" ? 1 : BACK) * memoryBytes;
	};
	const needsIndexes = () => engine.kind === "memory" && isTooLarge();
	/** The engine that fits what is committed. */
	const current = async () => {
		const isLarge = isTooLarge();
		if (!isLarge && engine.kind === "memory") return engine;
		const wanted = isLarge && (await preparation.isDone()) ? "lancedb" : "memory";
		if (wanted === engine.kind) return engine;
		const before = engine;
		engine = open(wanted);
		await (place.isReadOnly ? before.close() : before.drop());
		return engine;
	};
	return {
		current,
		/** The engine that found what was found last: rows are asked of that one. */
		latest: () => engine,
		/** Whether new rows need what LanceDB searches: it does, or is about to, or its indexes are there for others. */
		needsComplete: async () =>
			isTooLarge() || preparation.running() !== undefined || areIndexed(database.snapshot().tables),
		/** Why an index that is too large for memory is in memory all the same. */
		notices: () => (needsIndexes() ? preparation.trouble() : []),
		settle: async () => {
			if (needsIndexes()) preparation.begin();
			await (await current()).settle();
		},
		tidy: async (generation: number) => {
			if (needsIndexes()) preparation.begin();
			await preparation.running();
			await (await current()).tidy(generation);
		},
		/** Begins no more of what LanceDB needs: it is about to be closed, and the next process goes on. */
		stopPreparing: () => closing.abort(),
		close: async () => {
			closing.abort();
			// LanceDB closes no table that it is working on.
			await preparation.running();
			await engine.close();
		},
	};
}

function createOpener(database: Database, place: SnapshotPlace, closing: AbortSignal) {
	const placesAbout = createSubjectPlaces();
	let opened = 0;
	return (kind: EngineKind): SearchEngine => {
		const firstRow = opened++ * MOST_ROWS;
		return kind === "memory"
			? createMemoryEngine(database, { ...place, firstRow }, placesAbout)
			: createLanceEngine(database, firstRow, closing);
	};
}

/** Makes what LanceDB needs. Nobody waits for it. */
function createPreparation(database: Database, closing: AbortSignal) {
	const areIndexedAfter = rememberLast((tables: Tables, _rounds: number) => areIndexed(tables));
	let rounds = 0;
	let running: Promise<void> | undefined;
	let trouble: string | undefined;
	return {
		/** Whether LanceDB can search the tables: looked at again when they are others, or indexes may have been made. */
		isDone: () => areIndexedAfter(database.snapshot().tables, rounds),
		running: () => running,
		trouble: () => (trouble === undefined ? [] : [`${NOT_INDEXED} (${trouble}).`]),
		begin: () => {
			running ??= makeIndexes(database.snapshot().tables, closing)
				.then(() => undefined, messageOf)
				.then((reason) => {
					[trouble, running] = [reason, undefined];
					rounds++;
				});
		},
	};
}

const NOT_INDEXED =
	"The index needs more memory than the setting copilot-LD.storage.options.memory allows, and could not be prepared for searching on disk";
