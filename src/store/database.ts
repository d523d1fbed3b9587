import { Failure } from "../core/failure.ts";
import { MANIFEST_COLUMNS, readManifest } from "./documentTable.ts";
import { createManifest, type Manifest, type ManifestEntry } from "./manifest.ts";
import { toUnreadable } from "./query.ts";
import type { EmbedderId } from "./store.ts";
import { closeTables, createTables, openTables, recreateTables, type Tables } from "./tables.ts";

/** The tables and what is committed in them. */
export interface Snapshot {
	readonly tables: Tables;
	readonly manifest: Manifest;
	/** The version of the documents table that the manifest shows. */
	readonly version: number;
}

interface ManifestChange {
	readonly set: readonly ManifestEntry[];
	readonly removed: readonly string[];
}

/** The tables of one folder: open, or broken until they can be read again or are made anew. */
export interface Database {
	/** Why vectors of the embedder of today cannot be searched, nor written beside those that are there. */
	readonly stale: string | undefined;
	/** Whether an index of another version was thrown away. */
	readonly isOutdated: boolean;
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
	let isOutdated = false;
	let state = await readState(async () => {
		const found = await openTables(folder);
		isOutdated = found === "outdated";
		if (found === "missing") return createTables(folder, embedder);
		return found === "outdated" ? recreateTables(folder, embedder) : found;
	});
	let reopening: Promise<void> | undefined;
	return {
		get stale() {
			return state instanceof Failure ? undefined : stalenessOf(state.tables, embedder);
		},
		isOutdated,
		snapshot,
		refresh,
		advance({ set, removed }, version) {
			const { tables, manifest } = snapshot();
			manifest.set(set);
			manifest.delete(removed);
			state = { tables, manifest, version };
		},
		async recreate() {
			state = await readState(() => recreateTables(folder, embedder));
			snapshot();
		},
		close() {
			if (!(state instanceof Failure)) closeTables(state.tables);
		},
	};

	function snapshot(): Snapshot {
		if (state instanceof Failure) throw state;
		return state;
	}

	/** Another process may also have made the tables anew: they are opened again. */
	async function refresh(): Promise<Snapshot> {
		if (!(state instanceof Failure) && (await versionOf(state.tables)) === state.version) return snapshot();
		reopening ??= reopen().finally(() => {
			reopening = undefined;
		});
		await reopening;
		return snapshot();
	}

	async function reopen(): Promise<void> {
		state = await readState(async () => {
			const found = await openTables(folder);
			if (typeof found === "string") throw new Error(`the tables are ${found}`);
			return found;
		});
	}
}

/** The version is read first: a commit in between is only read twice. */
async function readState(find: () => Promise<Tables>): Promise<Snapshot | Failure> {
	try {
		const tables = await find();
		const version = await tables.documents.version();
		const rows = await tables.documents.query().select(MANIFEST_COLUMNS).toArrow();
		return { tables, manifest: createManifest(readManifest(rows)), version };
	} catch (cause) {
		return toUnreadable(cause);
	}
}

/** No version where another process is just making the table anew. */
async function versionOf({ documents }: Tables): Promise<number | undefined> {
	return documents.version().catch(() => undefined);
}

function stalenessOf(tables: Tables, embedder: EmbedderId | undefined): string | undefined {
	if (tables.embedder === (embedder?.id ?? "")) return undefined;
	const made = tables.embedder ? `with the embedder ${tables.embedder}` : "without an embedder";
	const now = embedder ? `it is ${embedder.id}` : "there is none";
	return `The index was made ${made}, and now ${now}: run "Copilot-LD: Rebuild Index".`;
}
