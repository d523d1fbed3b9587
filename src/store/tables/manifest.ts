import { createDocuments, type DocumentEntry } from "../port/store.ts";

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
		revisionOf: (uri: string) => entries.get(uri)?.revision,
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

export function revisionsOf(uris: readonly string[], manifest: Manifest): number[] {
	return uris.map((uri) => manifest.revisionOf(uri)).filter((revision) => revision !== undefined);
}

export function revisionsIn({ documents }: Manifest): number[] {
	const revisions: number[] = [];
	for (const { passages, revision } of documents.entries()) if (passages > 0) revisions.push(revision);
	return revisions;
}
