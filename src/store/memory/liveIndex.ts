import { rm } from "node:fs/promises";
import type { Table } from "@lancedb/lancedb";
import { createMutex, type Mutex } from "../../base/jobs/mutex.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { batchesOf } from "../../base/values.ts";
import { createPassageIndex, type PassageIndex } from "../../search/passageIndex.ts";
import type { PassageRow } from "../../search/rowColumns.ts";
import { emptyParts, readSnapshot, writeSnapshot } from "../../search/snapshotFile.ts";
import { type Database, type Manifest, revisionsIn, type Snapshot } from "../database/database.ts";
import type { Change } from "../port/engine.ts";
import { typeKeysOf } from "../tables/columns.ts";
import { INDEXED_COLUMNS, readIndexed } from "../tables/passageTable.ts";
import { isOneOf, readIndex } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";

/** Maximum share of rows of removed documents; above it, the index is rebuilt. */
const MOST_FALLOW = 0.25;

/** Maximum number of changed rows since the last snapshot, which the next opening reads from the table. */
const FEW_CHANGES = 1000;
const FEW_CHANGES_SHARE = 0.02;

/** Keeps the index in memory in step with commits. `drop` deletes only the snapshots on disk. */
export type LiveIndex = ReturnType<typeof createLiveIndex>;

export interface SnapshotPlace {
	/** Returns the absolute path of a generation's snapshot; `undefined` if there is no snapshot on this machine. */
	pathOf(generation: number): string | undefined;
	readonly isReadOnly: boolean;
	readonly firstRow?: number;
}

interface State {
	readonly database: Database;
	readonly place: SnapshotPlace;
	readonly queue: Mutex;
	readonly staged: Set<number>;
	loaded?: Loaded;
	changes: number;
}

interface Loaded {
	readonly index: PassageIndex;
	readonly tables: Tables;
	readonly manifest: Manifest;
	readonly version: number;
}

export function createLiveIndex(database: Database, place: SnapshotPlace) {
	const state: State = { database, place, queue: createMutex(), staged: new Set(), changes: 0 };
	const current = async () => {
		const { loaded } = state;
		if (loaded && isOf(loaded, database.snapshot())) return loaded.index;
		return state.queue.run(async () => (await bringUp(state, database.snapshot())).index);
	};
	return {
		current,
		latest: () => state.loaded?.index,
		follow: async () => void (await current()),
		stage: (rows: readonly PassageRow[]) => state.queue.run(() => stage(state, rows)),
		unstage: (revisions: readonly number[]) => {
			for (const revision of revisions) {
				state.staged.delete(revision);
				state.loaded?.index.documents.drop(revision);
			}
		},
		commit: (change: Change) => commitTo(state, change),
		tidy: (generation: number) =>
			state.queue.run(async () => {
				await tidy(state);
				await dropSnapshots(state, generation - 1);
			}),
		drop: () => state.queue.run(() => dropSnapshots(state, database.snapshot().tables.generation)),
		close: () =>
			state.queue.run(async () => {
				await save(state);
				await state.loaded?.index.leaveFile();
			}),
	};
}

function isOf({ manifest, version }: Loaded, snapshot: Snapshot): boolean {
	return manifest === snapshot.manifest && version === snapshot.version;
}

async function bringUp(state: State, snapshot: Snapshot): Promise<Loaded> {
	const before = await load(state, snapshot);
	if (isOf(before, snapshot)) return before;
	const { index } = before;
	const { manifest, version, tables } = snapshot;
	const revisions = revisionsIn(manifest);
	const missing = revisions.filter((revision) => !index.documents.has(revision));
	state.changes += await readRows(tables.passages, index, missing, revisions.length);
	const gone = index.documents
		.revisions()
		.filter((revision) => manifest.uriOf(revision) === undefined && !state.staged.has(revision));
	show(state, index, { shown: revisions, dropped: gone });
	state.loaded = { ...before, manifest, version };
	return state.loaded;
}

/** Uses the loaded index if it belongs to the tables, otherwise the snapshot, otherwise an empty index. */
async function load(state: State, { tables, manifest }: Snapshot): Promise<Loaded> {
	const { loaded, place } = state;
	if (loaded && isOfSame(loaded.tables, tables)) return loaded;
	const path = place.pathOf(tables.generation);
	await loaded?.index.leaveFile();
	const read = path === undefined ? undefined : await readSnapshot(path, tables);
	state.staged.clear();
	state.changes = 0;
	const index = createPassageIndex(read ?? emptyParts(tables.dimensions), orderAfter(state, loaded?.index));
	state.loaded = { index, tables, manifest, version: -1 };
	return state.loaded;
}

function isOfSame(one: Tables, other: Tables): boolean {
	const isOfModel = one.embedder === other.embedder && one.dimensions === other.dimensions;
	return isOfModel && one.generation === other.generation;
}

async function stage(state: State, rows: readonly PassageRow[]): Promise<void> {
	const { index } = await bringUp(state, state.database.snapshot());
	const pacer = createPacer();
	for (const { revision, ordinal, passage, terms, types, vector } of rows) {
		if (pacer.isDue) await pacer.rest();
		state.staged.add(revision);
		index.add({ revision, ordinal, passage, terms, types: types.flatMap(typeKeysOf), vector });
	}
	state.changes += rows.length;
}

function commitTo(state: State, change: Change): void {
	const { loaded, database } = state;
	if (!loaded) return;
	show(state, loaded.index, change);
	const { manifest, version } = database.snapshot();
	if (loaded.manifest === manifest) state.loaded = { ...loaded, version };
}

function show(state: State, { documents }: PassageIndex, { shown, dropped }: Change): void {
	const fallow = documents.size - documents.passages;
	for (const revision of dropped) documents.drop(revision);
	for (const revision of shown) {
		documents.show(revision);
		state.staged.delete(revision);
	}
	state.changes += Math.max(0, documents.size - documents.passages - fallow);
}

async function tidy(state: State): Promise<void> {
	const { index } = await bringUp(state, await state.database.refresh());
	if (index.documents.size - index.documents.passages > MOST_FALLOW * index.documents.size)
		state.changes = Number.POSITIVE_INFINITY;
	await save(state);
}

/** Writes the index without the rows of removed documents, and loads the result. */
async function save(state: State): Promise<void> {
	const { loaded, place } = state;
	if (!loaded || place.isReadOnly || state.staged.size > 0) return;
	const { index, tables } = loaded;
	if (state.changes <= Math.max(FEW_CHANGES, FEW_CHANGES_SHARE * index.documents.passages)) return;
	const parts = await index.pack();
	const path = place.pathOf(tables.generation);
	if (path === undefined || (await writeSnapshot(path, parts, tables))) state.changes = 0;
	state.loaded = { ...loaded, index: createPassageIndex(parts, orderAfter(state, index)) };
}

async function dropSnapshots({ place, loaded }: State, last: number): Promise<void> {
	if (loaded && loaded.tables.generation <= last) await loaded.index.leaveFile();
	for (let generation = last; generation >= 1; generation--) {
		const path = place.pathOf(generation);
		if (path !== undefined) await rm(path, { force: true });
	}
}

/** Numbers the rows of a new index after those of the old index, so that no row number is used twice. */
function orderAfter({ database, place }: State, index: PassageIndex | undefined) {
	return {
		base: index ? index.base + index.documents.size : (place.firstRow ?? 0),
		uriOf: (revision: number) => database.snapshot().manifest.uriOf(revision) ?? "",
	};
}

/** Number of revisions in one condition. If more than the share `MUCH` is missing, the whole table is read. */
const CONDITION_VALUES = 1000;
const MUCH = 0.5;

async function readRows(table: Table, index: PassageIndex, missing: readonly number[], all: number) {
	const isMuch = missing.length > MUCH * all;
	let rows = 0;
	for (const batch of isMuch ? [missing] : batchesOf(missing, CONDITION_VALUES))
		rows += await readIndex(() => readBatch(table, index, batch, isMuch));
	return rows;
}

async function readBatch(table: Table, index: PassageIndex, revisions: readonly number[], isMuch: boolean) {
	const { fields } = await table.schema();
	const columns = fields.map(({ name }) => name).filter((name) => INDEXED_COLUMNS.includes(name));
	const query = table.query().select(columns);
	if (!isMuch) query.where(isOneOf("revision", revisions));
	const wanted = new Set(revisions);
	const pacer = createPacer();
	let rows = 0;
	for await (const batch of query)
		for (const row of readIndexed(batch).filter(({ revision }) => wanted.has(revision))) {
			if (pacer.isDue) await pacer.rest();
			index.add(row);
			rows++;
		}
	return rows;
}
