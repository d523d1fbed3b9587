import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../core/failure.ts";
import { type Database, openDatabase } from "./database.ts";
import { readFolders, writeFolders } from "./folderNotes.ts";
import { folderSize } from "./folderSize.ts";
import { namesOf } from "./generations.ts";
import { isRemote, type Location, remoteFailureOf } from "./location.ts";
import { createPassageReads } from "./passageReads.ts";
import { createLiveIndex, type SnapshotPlace } from "./search/liveIndex.ts";
import { createSearches } from "./searches.ts";
import { createStatementReads } from "./statementReads.ts";
import type { EmbedderId, Store } from "./store.ts";
import { createWriteQueue, type WriteQueue } from "./writeQueue.ts";
import { createWrites } from "./writes.ts";

export interface StoreOptions extends Location {
	/** What makes the vectors of an index that is made now; a function is asked only then. */
	readonly embedder: EmbedderId | undefined | (() => Promise<EmbedderId | undefined>);
	/** Why vectors of such an embedder cannot be searched; that it is not the `embedder`, where this is left out. */
	readonly staleness?: (made: EmbedderId | undefined) => string | undefined;
	/** Why nothing may be written; where it is left out, all may. */
	readonly readOnly?: string;
	/** Absolute path of the folder for what makes an opening quick; that of the index, where this is left out. */
	readonly snapshotFolder?: string;
}

/**
 * Opens the index in a folder or at an address, and makes an empty one where there is none.
 * One that cannot be read opens too: every method fails then, until it is cleared.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
	const { embedder, readOnly } = options;
	const database = await openDatabase({
		...options,
		embedder: typeof embedder === "function" ? embedder : async () => embedder,
		isReadOnly: readOnly !== undefined,
	});
	return createStore(database, options);
}

function createStore(database: Database, options: StoreOptions): Store {
	const { folder, staleness = differingFrom(options) } = options;
	const queue = createWriteQueue();
	const live = createLiveIndex(database, snapshotPlaceOf(options));
	const reads = createPassageReads(database, live);
	const writes = createWrites(database, live);
	const write = createWriting(queue, options);
	return {
		...reads,
		...createStatementReads(database),
		...createSearches(database, live, reads),
		get embedder() {
			return database.embedder;
		},
		get stale() {
			return staleness(database.embedder);
		},
		get pending() {
			return database.snapshot().manifest.pending;
		},
		get moment() {
			return database.snapshot();
		},
		get notices() {
			return database.isOutdated
				? ["The index was of an older version of the extension and was emptied."]
				: [];
		},
		async refresh() {
			await database.refresh();
		},
		revisionOf: (uri) => database.snapshot().manifest.revisionOf(uri),
		documents: () => database.snapshot().manifest.records,
		replace: (documents) => write(() => writes.replace(documents)),
		remove: (uris) => write(() => writes.remove(uris)),
		optimize: () => write(() => writes.optimize()),
		clear: () => write(() => database.recreate()),
		successor: async (embedder) => createStore(await write(() => database.successor(embedder)), options),
		adoptSuccessor: () => write(() => database.adoptSuccessor()),
		...createFolderNotes(options, write),
		bytesOnDisk: async () => (isRemote(folder) ? 0 : folderSize(folder)),
		async close() {
			await queue.idle();
			await live.close();
			database.close();
		},
	};
}

type Write = <Result>(work: () => Promise<Result>) => Promise<Result>;

function createFolderNotes(options: StoreOptions, write: Write): Pick<Store, "folders" | "noteFolders"> {
	return {
		folders: () => readFolders(options),
		noteFolders: async (folders) => {
			if (!isDeepStrictEqual(await readFolders(options), folders))
				await write(() => writeFolders(options, folders));
		},
	};
}

/** Runs one write after the other, where that is allowed. */
function createWriting(queue: WriteQueue, options: StoreOptions): Write {
	return async (work) => {
		if (options.readOnly !== undefined) throw new Failure("READ_ONLY", options.readOnly);
		return queue.run(work).catch((thrown: unknown) => {
			throw remoteFailureOf(thrown, options, "write") ?? thrown;
		});
	};
}

/** Of an address the snapshot lies on this machine, or nowhere. */
function snapshotPlaceOf({ folder, snapshotFolder, readOnly }: StoreOptions): SnapshotPlace {
	const parent = snapshotFolder ?? (isRemote(folder) ? undefined : folder);
	return {
		pathOf: (generation) => parent && join(parent, `${namesOf(generation).passages}.snapshot`),
		isReadOnly: readOnly !== undefined,
	};
}

function differingFrom({ embedder }: StoreOptions): (made: EmbedderId | undefined) => string | undefined {
	const wanted = typeof embedder === "function" ? undefined : embedder;
	return (made) =>
		made?.id === wanted?.id
			? undefined
			: `The vectors are of ${made?.id ?? "no embedder"}, and the embedder is ${wanted?.id ?? "none"} now.`;
}
