import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../base/failure.ts";
import { folderSize } from "../base/files/file.ts";
import { createMutex, type Mutex } from "../base/jobs/mutex.ts";
import type { Folder } from "../core/knowledge/knowledge.ts";
import { type Database, openDatabase, openSuccessor } from "./database/database.ts";
import { createEngines, DEFAULT_MEMORY_BYTES, type Engines } from "./engines.ts";
import type { SnapshotPlace } from "./memory/liveIndex.ts";
import type { EmbedderId, Store } from "./port/store.ts";
import { createReads } from "./reads.ts";
import { tableOf, texts } from "./tables/columns.ts";
import { createDescriptorTable, type DescriptorTable } from "./tables/descriptorTable.ts";
import {
	connectTo,
	dropTable,
	isRemote,
	type Location,
	openIfThere,
	readIndex,
	remoteFailureOf,
} from "./tables/query.ts";
import { namesOf } from "./tables/tables.ts";
import { createWrites } from "./writes.ts";

export interface StoreOptions extends Location {
	/** Embedder for a new index. A function is called only if an index is created. */
	readonly embedder: EmbedderId | undefined | (() => Promise<EmbedderId | undefined>);
	/** Returns why vectors of this embedder cannot be searched. If omitted, all vectors can be searched. */
	readonly staleness?: (made: EmbedderId | undefined) => string | undefined;
	readonly readOnly?: string;
	/** Absolute path of the folder for the snapshot; if omitted, the folder of the index. */
	readonly snapshotFolder?: string;
}

const TABLE = "folders";

const WAS_OUTDATED = "The index was made by an older version of the extension and was emptied.";

/** Opens or creates the index. If the index is unreadable, every method fails until the index is cleared. */
export async function openStore(options: StoreOptions): Promise<Store> {
	const { embedder, readOnly } = options;
	const database = await openDatabase({
		memoryBytes: DEFAULT_MEMORY_BYTES,
		...options,
		embedder: typeof embedder === "function" ? embedder : async () => embedder,
		isReadOnly: readOnly !== undefined,
	});
	return createStore(database, options);
}

function createStore(database: Database, options: StoreOptions): Store {
	const { folder, staleness, memoryBytes = DEFAULT_MEMORY_BYTES } = options;
	const queue = createMutex();
	const engines = createEngines(database, snapshotPlaceOf(options), memoryBytes);
	const descriptors = createDescriptorTable(options, () => database.snapshot().tables);
	return {
		...createReads(database, engines),
		...createChanges({ database, engines, descriptors, queue }, options),
		engine: () => engines.latest().kind,
		embedder: database.embedder,
		stale: () => staleness?.(database.embedder()),
		pending: () => database.snapshot().manifest.pending,
		moment: () => database.snapshot(),
		notices: () => [database.isOutdated ? WAS_OUTDATED : [], engines.notices()].flat(),
		async refresh() {
			await database.refresh();
			await engines.current();
		},
		documents: () => database.snapshot().manifest.documents,
		descriptors: descriptors.read,
		folders: () => readFolders(options),
		bytesOnDisk: async () => (isRemote(folder) ? 0 : folderSize(folder)),
		async close() {
			engines.stopPreparing();
			await queue.idle();
			await engines.close();
			descriptors.close();
			database.close();
		},
	};
}

interface StoreParts {
	readonly database: Database;
	readonly engines: Engines;
	readonly descriptors: DescriptorTable;
	readonly queue: Mutex;
}

function createChanges({ database, engines, descriptors, queue }: StoreParts, options: StoreOptions) {
	const writes = createWrites(database, engines);
	const write = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (options.readOnly !== undefined) throw new Failure("READ_ONLY", options.readOnly);
		return queue.run(work).catch((thrown: unknown) => {
			throw remoteFailureOf(thrown, options, "write") ?? thrown;
		});
	};
	return {
		replace: (documents) => write(() => writes.replace(documents).then(engines.settle)),
		remove: (uris) => write(() => writes.remove(uris)),
		describe: (hash, descriptor) => write(() => descriptors.add(hash, descriptor)),
		optimize: () =>
			write(async () => {
				const ofTables = await writes.optimize();
				const ofDescriptors = await descriptors.optimize();
				return ofTables ?? ofDescriptors;
			}),
		clear: () =>
			write(async () => {
				await database.recreate();
				await descriptors.mend();
			}),
		erase: () =>
			write(async () => {
				await database.recreate();
				await descriptors.drop();
				await engines.latest().drop();
				await dropTable(options, TABLE);
			}),
		successor: async (embedder) => {
			const opening = () => openSuccessor(database.successorOptions(embedder));
			return createStore(await write(opening), options);
		},
		adoptSuccessor: () => write(() => database.adoptSuccessor()),
		noteFolders: async (folders) => {
			if (!isDeepStrictEqual(await readFolders(options), folders))
				await write(() => writeFolders(options, folders));
		},
	} satisfies Partial<Store>;
}

/** The snapshot of a remote index is on this machine, or there is no snapshot. */
function snapshotPlaceOf({ folder, snapshotFolder, readOnly }: StoreOptions): SnapshotPlace {
	const parent = snapshotFolder ?? (isRemote(folder) ? undefined : folder);
	return {
		pathOf: (generation) => parent && join(parent, `${namesOf(generation).passages}.snapshot`),
		isReadOnly: readOnly !== undefined,
	};
}

function readFolders(location: Location): Promise<Folder[]> {
	return readIndex(async () => {
		const rows = await (await openIfThere(location, TABLE))?.query().toArrow();
		return Array.from(rows ?? [], (row) => row.toJSON() as Folder);
	});
}

async function writeFolders(location: Location, folders: readonly Folder[]): Promise<void> {
	const columns = [texts("uri", ({ uri }: Folder) => uri), texts("name", ({ name }: Folder) => name)];
	const connection = await connectTo(location);
	const isThere = (await connection.tableNames()).includes(TABLE);
	await connection.createTable(TABLE, tableOf(folders, columns), { mode: isThere ? "overwrite" : "create" });
}
