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

/** Default memory limit for a copy of an index: 1 GB, enough for some 600,000 passages. */
export const DEFAULT_MEMORY_BYTES = 2 ** 30;

/** Bytes of memory per passage (text and terms, measured in docs/bench.md), and per number of its vector. */
const PASSAGE_BYTES = 1500;
const NUMBER_BYTES = 9 / 8;

/** Share of the memory limit below which an index returns from disk to memory, so that it does not switch often. */
const BACK = 0.8;

const MOST_ROWS = 2 ** 32;

export type Engines = ReturnType<typeof createEngines>;

/**
 * Chooses memory if the index fits into `memoryBytes`, otherwise LanceDB. Switches only between two questions, and
 * only after LanceDB's indexes exist; until then, memory answers.
 */
export function createEngines(database: Database, place: SnapshotPlace, memoryBytes: number) {
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
		/** Engine of the last search, whose row numbers only this engine knows. */
		latest: () => engine,
		/** Whether new rows need LanceDB's columns: LanceDB searches now or soon, or already has indexes. */
		needsComplete: async () =>
			isTooLarge() || preparation.running() !== undefined || areIndexed(database.snapshot().tables),
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
		/** Starts no further index, so that closing is quick; the next process creates the missing indexes. */
		stopPreparing: () => closing.abort(),
		close: async () => {
			closing.abort();
			// LanceDB cannot close a table that it is working on.
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

function createPreparation(database: Database, closing: AbortSignal) {
	const areIndexedAfter = rememberLast((tables: Tables, _rounds: number) => areIndexed(tables));
	let rounds = 0;
	let running: Promise<void> | undefined;
	let trouble: string | undefined;
	return {
		/** Checked again only for other tables and after each round of indexing. */
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
