import type { Failure } from "../core/failure.ts";
import { MANIFEST_COLUMNS, readManifest } from "./documentTable.ts";
import { createManifest, type Manifest, type ManifestEntry } from "./manifest.ts";
import { readIndex, runQuery, toUnreadable } from "./query.ts";
import type { EmbedderId } from "./store.ts";
import { openTables, recreateTables, type Tables } from "./tables.ts";

/** The tables and what is committed in them. */
export interface Snapshot {
	readonly tables: Tables;
	readonly manifest: Manifest;
	/** The version of the documents table that the manifest shows. */
	readonly version: number;
}

export interface ManifestChange {
	readonly set: readonly ManifestEntry[];
	readonly removed: readonly string[];
}

/** The tables of one folder: open, or broken until they are made anew. */
export interface Database {
	/** Why vectors of the embedder of today cannot be searched, nor written beside those that are there. */
	readonly stale: string | undefined;
	/** Whether an index of another version was thrown away. */
	readonly outdated: boolean;
	/** As last seen. Throws where the tables are broken. */
	snapshot(): Snapshot;
	/** With all that any process has committed. */
	refresh(): Promise<Snapshot>;
	/** Notes what this process has just committed to the documents table as this version. */
	advance(change: ManifestChange, version: number): void;
	/** Makes empty tables, whatever was there. */
	recreate(): Promise<void>;
	close(): void;
}

export async function openDatabase(folder: string, embedder: EmbedderId | undefined): Promise<Database> {
	let state: Snapshot | Failure = await open();
	let reading: Promise<Snapshot> | undefined;
	return {
		get stale() {
			return state instanceof Error ? undefined : stalenessOf(state.tables, embedder);
		},
		get outdated() {
			return !(state instanceof Error) && state.tables.outdated;
		},
		snapshot,
		refresh,
		advance,
		recreate,
		close() {
			if (state instanceof Error) return;
			state.tables.documents.close();
			state.tables.passages.close();
		},
	};

	function snapshot(): Snapshot {
		if (state instanceof Error) throw state;
		return state;
	}

	async function refresh(): Promise<Snapshot> {
		const { tables, version } = snapshot();
		if ((await readIndex(() => tables.documents.version())) === version) return snapshot();
		reading ??= readSnapshot(tables).finally(() => {
			reading = undefined;
		});
		state = await reading;
		return state;
	}

	function advance({ set, removed }: ManifestChange, version: number): void {
		const { tables, manifest } = snapshot();
		manifest.set(set);
		manifest.delete(removed);
		state = { tables, manifest, version };
	}

	async function recreate(): Promise<void> {
		state = await readSnapshot(await recreateTables(folder, embedder));
	}

	async function open(): Promise<Snapshot | Failure> {
		try {
			return await readSnapshot(await openTables(folder, embedder));
		} catch (cause) {
			return toUnreadable(cause);
		}
	}
}

/** The version is read first: a commit in between is only read twice. */
async function readSnapshot(tables: Tables): Promise<Snapshot> {
	const version = await readIndex(() => tables.documents.version());
	const rows = await runQuery(tables.documents.query().select(MANIFEST_COLUMNS));
	return { tables, manifest: createManifest(readManifest(rows)), version };
}

function stalenessOf(tables: Tables, embedder: EmbedderId | undefined): string | undefined {
	if (tables.embedder === (embedder?.id ?? "")) return undefined;
	const made = tables.embedder ? `with the embedder ${tables.embedder}` : "without an embedder";
	const now = embedder ? `it is ${embedder.id}` : "there is none";
	return `The index was made ${made}, and now ${now}: run "Copilot-LD: Rebuild Index".`;
}
