import { messageOf } from "../base/failure.ts";
import { rememberLast } from "../base/jobs/lazily.ts";
import type { PassageRow } from "../search/rowColumns.ts";
import type { Database } from "./database/database.ts";
import { createSubjectPlaces } from "./database/passageReads.ts";
import { createLanceEngine } from "./lance/lanceEngine.ts";
import { areIndexed, makeIndexes } from "./lance/lanceIndexes.ts";
import type { SnapshotPlace } from "./memory/liveIndex.ts";
import { createMemoryEngine } from "./memory/memoryEngine.ts";
import type { Change, SearchEngine } from "./port/engine.ts";
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

interface State extends EnginesOptions {
	readonly database: Database;
	readonly make: (kind: EngineKind) => SearchEngine;
	readonly closing: AbortController;
	engine: SearchEngine;
	/** Whether LanceDB can search tables: looked at again when they are others, or indexes may have been made. */
	readonly areIndexedAfter: (tables: Tables, made: number) => Promise<boolean>;
	made: number;
	making?: Promise<void> | undefined;
	trouble?: string | undefined;
}

/**
 * The engine that fits the index: memory, as long as it takes no more of it than is allowed; else LanceDB. The other
 * one takes its place between two questions; what LanceDB needs is made before, while memory answers.
 */
export function createEngines(database: Database, options: EnginesOptions) {
	const closing = new AbortController();
	const make = createMaker(database, options, closing.signal);
	const areIndexedAfter = rememberLast((tables: Tables, _made: number) => areIndexed(tables));
	const fixed = { ...options, database, make, closing, areIndexedAfter };
	const state: State = { ...fixed, engine: make("memory"), made: 0 };
	const current = () => engineIn(state);
	return {
		/** The engine that fits what is committed. */
		current,
		/** The engine that found what was found last: rows are asked of that one. */
		latest: () => state.engine,
		/** Whether new rows need what LanceDB searches: it does, or is about to, or its indexes are there for others. */
		needsComplete: async () =>
			isTooLarge(state) || state.making !== undefined || areIndexed(database.snapshot().tables),
		/** Why an index that is too large for memory is in memory all the same. */
		notices: () => noticesOf(state),
		follow: async () => (await current()).follow(),
		stage: async (rows: readonly PassageRow[]) => (await current()).stage(rows),
		unstage: (revisions: readonly number[]) => state.engine.unstage(revisions),
		commit: (change: Change) => state.engine.commit(change),
		settle: async () => {
			prepare(state);
			await (await current()).settle();
		},
		tidy: async (generation: number) => {
			prepare(state);
			await state.making;
			await (await current()).tidy(generation);
		},
		drop: () => state.engine.drop(),
		/** Begins no more of what LanceDB needs: it is about to be closed, and the next process goes on. */
		stopPreparing: () => closing.abort(),
		close: async () => {
			closing.abort();
			// LanceDB closes no table that it is working on.
			await state.making;
			await state.engine.close();
		},
	};
}

function createMaker(database: Database, { place }: EnginesOptions, closing: AbortSignal): State["make"] {
	const placesAbout = createSubjectPlaces();
	let made = 0;
	return (kind) => {
		const firstRow = made++ * MOST_ROWS;
		return kind === "memory"
			? createMemoryEngine(database, { ...place, firstRow }, placesAbout)
			: createLanceEngine(database, firstRow, closing);
	};
}

async function engineIn(state: State): Promise<SearchEngine> {
	const isLarge = isTooLarge(state);
	if (!isLarge && state.engine.kind === "memory") return state.engine;
	const { tables } = state.database.snapshot();
	const wanted = isLarge && (await state.areIndexedAfter(tables, state.made)) ? "lancedb" : "memory";
	if (wanted === state.engine.kind) return state.engine;
	const before = state.engine;
	state.engine = state.make(wanted);
	await (state.place.isReadOnly ? before.close() : before.drop());
	return state.engine;
}

function isTooLarge({ database, engine, memoryBytes }: State): boolean {
	const { manifest, tables } = database.snapshot();
	const bytes = manifest.passages * (PASSAGE_BYTES + NUMBER_BYTES * tables.dimensions);
	return bytes > (engine.kind === "memory" ? 1 : BACK) * memoryBytes;
}

/** Nobody waits for it. */
function prepare(state: State): void {
	const { tables } = state.database.snapshot();
	if (state.engine.kind === "lancedb" || !isTooLarge(state)) return;
	state.making ??= makeIndexes(tables, state.closing.signal)
		.then(
			() => {
				state.trouble = undefined;
			},
			(thrown: unknown) => {
				state.trouble = messageOf(thrown);
			},
		)
		.finally(() => {
			state.making = undefined;
			state.made++;
		});
}

function noticesOf({ trouble, ...state }: State): string[] {
	if (state.engine.kind === "lancedb" || trouble === undefined || !isTooLarge(state)) return [];
	return [`${NOT_INDEXED} (${trouble}).`];
}

const NOT_INDEXED =
	"The index needs more memory than the setting copilot-LD.storage.options.memory allows, and could not be prepared for searching on disk";
