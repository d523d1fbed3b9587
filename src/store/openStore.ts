import { join } from "node:path";
import { openDatabase } from "./database.ts";
import { folderSize } from "./folderSize.ts";
import { createPassageReads } from "./passageReads.ts";
import { createLiveIndex } from "./search/liveIndex.ts";
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
	const live = createLiveIndex(database, join(folder, "passages.snapshot"));
	const reads = createPassageReads(database, live);
	const writes = createWrites(database, live);
	return {
		...reads,
		...createStatementReads(database),
		...createSearches(database, live, reads),
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
			await live.close();
			database.close();
		},
	};
}
