import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { createIntent } from "../base/files/intent.ts";
import type { IndexData } from "../core/storedData.ts";
import type { Indexer } from "./indexing/indexer.ts";
import { requireLock } from "./indexing/requireLock.ts";
import type { KnowledgeBaseOptions, OpenIndex } from "./openIndex.ts";

interface StoredIndexParts {
	readonly place: Pick<OpenIndex, "store" | "lock" | "readOnly">;
	readonly indexer: Pick<Indexer, "whenFree" | "progress">;
	readonly options: Pick<KnowledgeBaseOptions, "dataFolder" | "storage">;
	/** Hears which documents went. */
	readonly onChange: (uris: readonly string[]) => void;
}

export interface StoredIndex extends IndexData {
	/** Ends what a process that died had begun to clear, unless another process writes. */
	resume(): Promise<void>;
}

/** The index as something that takes room. Only who may write it may clear it, and no run is at work then. */
export function createStoredIndex(parts: StoredIndexParts): StoredIndex {
	const { place, indexer, options, onChange } = parts;
	const { store, lock, readOnly } = place;
	const chosen = options.storage?.uri;
	const clearing = createIntent(join(options.dataFolder, "clearing"));
	const erase = async () => {
		const gone = urisIn(store);
		await store.erase();
		await clearing.end();
		onChange(gone);
	};
	return {
		sizes: async () => {
			// One that cannot be read can be cleared all the same.
			await store.refresh().catch(() => undefined);
			const [items, bytes] = [urisIn(store).length, await store.bytesOnDisk()];
			return { index: { items, bytes, ...(chosen && { place: chosen }) } };
		},
		clear: async (_, signal) => {
			if (indexer.progress()) throw new Failure("BUSY", AT_WORK);
			await indexer.whenFree(async () => {
				signal.throwIfAborted();
				await requireLock(lock, "clear");
				await clearing.begin();
				await erase();
			});
		},
		resume: async () => {
			if (readOnly !== undefined) return;
			if ((await clearing.begunAt()) !== undefined && (await lock.acquire())) await erase();
		},
	};
}

const AT_WORK = "Files are being indexed. Wait for this to finish or cancel it, and then clear the index.";

function urisIn(store: OpenIndex["store"]): string[] {
	try {
		return [...store.documents().keys()];
	} catch {
		return [];
	}
}
