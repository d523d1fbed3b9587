import type { DocumentRecord } from "../../core/knowledge/document.ts";

/** A document's line in the manifest. Its passages carry the same revision: rows of any other are not seen. */
export interface ManifestEntry {
	readonly record: DocumentRecord;
	readonly revision: number;
}

/** The committed documents, in memory. */
export interface Manifest {
	readonly records: ReadonlyMap<string, DocumentRecord>;
	/** How many passages the committed documents have. */
	readonly passages: number;
	/** How many of these wait for their vectors. */
	readonly pending: number;
	uriOf(revision: number): string | undefined;
	revisionOf(uri: string): number | undefined;
	set(entries: readonly ManifestEntry[]): void;
	delete(uris: readonly string[]): void;
}

export function createManifest(entries: readonly ManifestEntry[]): Manifest {
	const records = new Map<string, DocumentRecord>();
	const revisions = new Map<string, number>();
	const uris = new Map<number, string>();
	let passages = 0;
	let pending = 0;
	set(entries);
	return {
		records,
		get passages() {
			return passages;
		},
		get pending() {
			return pending;
		},
		uriOf: (revision) => uris.get(revision),
		revisionOf: (uri) => revisions.get(uri),
		set,
		delete: remove,
	};

	function set(added: readonly ManifestEntry[]): void {
		if (records.size > 0) remove(added.map(({ record }) => record.uri));
		for (const { record, revision } of added) {
			records.set(record.uri, record);
			revisions.set(record.uri, revision);
			uris.set(revision, record.uri);
			passages += record.passages;
			pending += pendingOf(record);
		}
	}

	function remove(removed: readonly string[]): void {
		for (const uri of removed) {
			passages -= records.get(uri)?.passages ?? 0;
			pending -= pendingOf(records.get(uri));
			uris.delete(revisions.get(uri) ?? Number.NaN);
			revisions.delete(uri);
			records.delete(uri);
		}
	}
}

function pendingOf(record: DocumentRecord | undefined): number {
	return record?.isPending ? record.passages : 0;
}

/** The revisions of those of the documents that are there. */
export function revisionsOf(uris: readonly string[], manifest: Manifest): number[] {
	return uris.map((uri) => manifest.revisionOf(uri)).filter((revision) => revision !== undefined);
}

export function revisionsIn(manifest: Manifest): number[] {
	return [...manifest.records.values()]
		.filter(({ passages }) => passages > 0)
		.map(({ uri }) => manifest.revisionOf(uri))
		.filter((revision) => revision !== undefined);
}
