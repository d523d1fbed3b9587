import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { Failure } from "../../base/failure.ts";
import { createDocuments, type DocumentEntry, type EmbedderId } from "../port/store.ts";
import { MANIFEST_COLUMNS, readManifest } from "../tables/documentTable.ts";
import { connectTo, isRemote, type Location, remoteFailureOf, toUnreadable } from "../tables/query.ts";
import {
	createTables,
	currentGeneration,
	dropGenerations,
	makeCurrent,
	type NewTables,
	namesOf,
	openTables,
	recreateTables,
	type Tables,
} from "../tables/tables.ts";

export interface Snapshot {
	readonly tables: Tables;
	readonly manifest: Manifest;
	/** The version of the documents table from which the manifest was read. */
	readonly version: number;
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions extends NewTables {
	readonly isReadOnly: boolean;
}

export async function openDatabase(options: DatabaseOptions) {
	const opening = { isOutdated: false };
	let state = await readState(() => openPresent(options, opening), options);
	let reopening: Promise<void> | undefined;
	const versionOf = createCommitWatch(options);
	return {
		/** Embedder of the stored vectors; `undefined` if there are no vectors, or if the tables are broken. */
		embedder: () => (state instanceof Failure ? undefined : embedderOf(state.tables)),
		isOutdated: opening.isOutdated,
		snapshot,
		refresh,
		advance(set: readonly DocumentEntry[], removed: readonly string[], version: number) {
			const { tables, manifest } = snapshot();
			manifest.set(set);
			manifest.delete(removed);
			state = { tables, manifest, version };
		},
		async recreate() {
			state = await readState(() => recreateTables(options), options);
			snapshot();
		},
		successorOptions: (next: EmbedderId): DatabaseOptions => {
			const { generation } = snapshot().tables;
			return { ...options, embedder: async () => next, generation: generation + 1 };
		},
		adoptSuccessor: async () => {
			const { documents, generation: last } = snapshot().tables;
			await makeCurrent(await connectTo(options), last + 1);
			await reopen();
			// This commit makes other processes reopen the table.
			await documents.delete("true");
		},
		dropPredecessors: () => dropPredecessors(options),
		close() {
			const tables = state instanceof Failure ? [] : [state.tables.documents, state.tables.passages];
			for (const table of tables) table.close();
		},
	};

	function snapshot(): Snapshot {
		if (state instanceof Failure) throw state;
		return state;
	}

	async function refresh(): Promise<Snapshot> {
		if (!(state instanceof Failure) && (await versionOf(state.tables)) === state.version) return snapshot();
		reopening ??= reopen().finally(() => {
			reopening = undefined;
		});
		await reopening;
		return snapshot();
	}

	async function reopen(): Promise<void> {
		state = await readState(() => openPresent(options), options);
	}
}

/** With `opening`, also creates missing tables, and records there whether an outdated index was discarded. */
async function openPresent(options: DatabaseOptions, opening?: { isOutdated: boolean }): Promise<Tables> {
	const found = await openTables(options);
	if (options.isReadOnly || found === "newer") return requireTables(found, options);
	if (typeof found !== "string") return found;
	if (!opening) throw new Error(`the tables are ${found}`);
	opening.isOutdated = found === "outdated";
	return opening.isOutdated ? recreateTables(options) : createTables(options);
}

/** Keeps generations after the current generation: a successor may be in progress. */
async function dropPredecessors(location: Location): Promise<number> {
	const connection = await connectTo(location);
	const current = currentGeneration(await connection.tableNames());
	await dropGenerations(connection, (other) => other < current);
	return current;
}

/** Opens the successor's tables, but recreates them if another embedder made their vectors. */
export async function openSuccessor(options: DatabaseOptions): Promise<Database> {
	const opened = await openDatabase(options);
	const [found, wanted] = [opened.embedder(), await options.embedder()];
	if (found?.id !== wanted?.id || found?.dimensions !== wanted?.dimensions) await opened.recreate();
	return opened;
}

function requireTables(found: Awaited<ReturnType<typeof openTables>>, { folder }: Location): Tables {
	if (typeof found !== "string") return found;
	const newer = `The index at ${folder} was made by a newer version of Copilot-LD and is left as it is. Update Copilot-LD, or set copilot-LD.storage.uri to another place.`;
	if (found === "newer") throw new Failure("STORE_NEWER", newer);
	const missing = `There is no index at ${folder} yet, and it is opened read-only. Correct the setting copilot-LD.storage.uri, or build the index first.`;
	if (found === "missing") throw new Failure("NO_INDEX", missing);
	const outdated = `The index at ${folder} was made by another version of Copilot-LD and is opened read-only. It must be rebuilt.`;
	throw new Failure("STORE_UNREADABLE", outdated);
}

function embedderOf({ embedder: id, dimensions }: Tables): EmbedderId | undefined {
	return id === "" ? undefined : { id, dimensions };
}

/** Reads the version first, so that a commit during the read is read twice rather than missed. */
async function readState(find: () => Promise<Tables>, location: Location): Promise<Snapshot | Failure> {
	try {
		const tables = await find();
		const version = await tables.documents.version();
		const rows = await tables.documents.query().select(MANIFEST_COLUMNS).toArrow();
		return { tables, manifest: createManifest(readManifest(rows)), version };
	} catch (cause) {
		return remoteFailureOf(cause, location, "open") ?? toUnreadable(cause);
	}
}

/** With a coarse clock, two commits may have the same time, so only older times identify a commit. */
const COARSEST_CLOCK_MS = 4000;

/**
 * Detects commits by the time of the folder to which each commit adds a file. Every search asks for the version,
 * and `stat` takes a fiftieth of the time of LanceDB's listing and no thread.
 */
function createCommitWatch(location: Location) {
	let seen: { readonly table: Table; readonly version: number; readonly look: Stats } | undefined;
	return async ({ documents: table, generation }: Tables) => {
		const look = statVersions(location, namesOf(generation).documents);
		const isSame = look && seen?.look.mtimeMs === look.mtimeMs && seen.look.ino === look.ino;
		if (isSame && seen?.table === table) return seen.version;
		const lookedMs = Date.now();
		// Another process may be rebuilding the table.
		const version = await table.version().catch(() => undefined);
		const isOld = look && look.mtimeMs < lookedMs - COARSEST_CLOCK_MS;
		seen = isOld && version !== undefined ? { table, version, look } : undefined;
		return version;
	};
}

function statVersions({ folder }: Location, name: string): Stats | undefined {
	if (isRemote(folder)) return undefined;
	try {
		return statSync(join(folder, `${name}.lance`, "_versions"), { throwIfNoEntry: false });
	} catch {
		// LanceDB will report this problem with a better message.
		return undefined;
	}
}

/** Lists the committed documents. Passages are visible only if the manifest has their revision. */
export type Manifest = ReturnType<typeof createManifest>;

export function createManifest(read: Iterable<DocumentEntry>) {
	const entries = new Map<string, DocumentEntry>();
	const byRevision = new Map<number, DocumentEntry>();
	let passages = 0;
	let pending = 0;
	set(read);
	return {
		documents: createDocuments(entries),
		get passages() {
			return passages;
		},
		get pending() {
			return pending;
		},
		uriOf: (revision: number) => byRevision.get(revision)?.uri,
		/** Number of passages of a revision's document; 0 if the document is not committed, or has been removed. */
		passagesOf: (revision: number) => byRevision.get(revision)?.passages ?? 0,
		set,
		delete: (uris: readonly string[]) => {
			for (const uri of uris) remove(entries.get(uri));
		},
	};

	function set(added: Iterable<DocumentEntry>): void {
		for (const entry of added) {
			remove(entries.get(entry.uri));
			entries.set(entry.uri, entry);
			byRevision.set(entry.revision, entry);
			count(entry, 1);
		}
	}

	function remove(entry: DocumentEntry | undefined): void {
		if (!entry) return;
		entries.delete(entry.uri);
		byRevision.delete(entry.revision);
		count(entry, -1);
	}

	function count(entry: DocumentEntry, sign: 1 | -1): void {
		passages += sign * entry.passages;
		if (entry.isPending) pending += sign * entry.passages;
	}
}

export function revisionsOf(uris: readonly string[], { documents }: Manifest): number[] {
	return uris.flatMap((uri) => documents.entry(uri)?.revision ?? []);
}

export function revisionsIn({ documents }: Manifest): number[] {
	const revisions: number[] = [];
	for (const { passages, revision } of documents.entries()) if (passages > 0) revisions.push(revision);
	return revisions;
}
