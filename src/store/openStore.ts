import { openDatabase } from "./database.ts";
import { folderSize } from "./folderSize.ts";
import { createPassageReads } from "./passageReads.ts";
import { createRowsAbout } from "./rowsAbout.ts";
import { createSearches } from "./searches.ts";
import { createStatementReads } from "./statementReads.ts";
import type { EmbedderId, Store } from "./store.ts";
import { createWriteQueue } from "./writeQueue.ts";
import { createWrites } from "./writes.ts";

/**
 * Opens the index in a folder, and makes an empty one where there is none.
 * A folder that cannot be read opens too: every method fails then, until it is cleared.
 */
export async function openStore({
	folder,
	embedder,
}: {
	/** Absolute path; nothing else may be kept in it. */
	readonly folder: string;
	readonly embedder: EmbedderId | undefined;
}): Promise<Store> {
	const database = await openDatabase(folder, embedder);
	const queue = createWriteQueue();
	const writes = createWrites(database);
	return {
		...createPassageReads(database),
		...createStatementReads(database),
		...createSearches(database),
		...createRowsAbout(database),
		get stale() {
			return database.stale;
		},
		get notices() {
			return database.isOutdated
				? ["The index was of an older version of the extension and was emptied."]
				: [];
		},
		async refresh() {
			await database.refresh();
		},
		documents: () => database.snapshot().manifest.records,
		replace: (documents) => queue.run(() => writes.replace(documents)),
		remove: (uris) => queue.run(() => writes.remove(uris)),
		optimize: () => queue.run(() => writes.optimize()),
		clear: () => queue.run(() => database.recreate()),
		bytesOnDisk: () => folderSize(folder),
		async close() {
			await queue.idle();
			database.close();
		},
	};
}
