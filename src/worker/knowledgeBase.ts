import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../core/catalog.ts";
import type { Embedder } from "../core/embedder.ts";
import { Failure } from "../core/failure.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Folder, Knowledge } from "../core/knowledge.ts";
import { openStaticEmbedder } from "../embed/staticEmbedder.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { createEndpointGraph } from "../store/graph/endpoint/endpointGraph.ts";
import { openStore } from "../store/openStore.ts";
import type { Store } from "../store/store.ts";
import { createCatalog } from "./answers/catalog.ts";
import { answerNotices, readStatus } from "./answers/status.ts";
import { createStoreGraph } from "./answers/storeGraph.ts";
import { filePathOf } from "./files/fileUri.ts";
import { createSources, type Sources } from "./files/sources.ts";
import { type ChangeQueue, createChangeQueue } from "./indexing/changeQueue.ts";
import { createIndexer, type Indexer } from "./indexing/indexer.ts";
import { createLock, type Lock } from "./indexing/lock.ts";
import { createReadersNote } from "./indexing/readersNote.ts";
import { createParserPool, type ParserPool } from "./parsing/parserPool.ts";
import { createDoors, type Doors } from "./policy/doors.ts";
import { createPolicies } from "./policy/policies.ts";

/** What one file may take of the parser's time and memory. */
const FILE_LIMITS = { limitMs: 10_000, maxHeapMb: 2048 };

/** More would only wait for the one process that writes. */
const MOST_PARSERS = 4;

/** The knowledge of some folders, with what keeps it in step with them. */
export interface KnowledgeBase extends Knowledge {
	readonly graph: KnowledgeGraph;
	readonly catalog: Catalog;
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
	/** Ends what is at work, and leaves what it has done. */
	close(): Promise<void>;
}

export interface KnowledgeBaseOptions extends WorkerOptions {
	/** Absolute paths of the programs of the parser's process and of the graph's thread. */
	readonly parserProgram: string;
	readonly sparqlProgram: string;
	/** Called after documents came, changed or went. */
	readonly onChange: () => void;
	/** Hears of what no caller waits for. */
	readonly onError: (thrown: unknown) => void;
}

/** Builds all that answers. */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
	const { dataFolder, modelFolder, folders, excludes = [], parserProgram: program } = options;
	const { embedder, notices } = await openEmbedder(modelFolder);
	const stored = await openStore({ folder: join(dataFolder, "index"), embedder });
	const storeGraph = createStoreGraph(stored);
	const store = tellingChanges(stored, (uris) => {
		doors.invalidate(uris);
		options.onChange();
	});
	const sources = createSources({ dataFolder, folders, excludes });
	const parsers = createParserPool(
		{ program, options: embedder ? { modelFolder } : {}, ...FILE_LIMITS },
		Math.min(availableParallelism(), MOST_PARSERS),
	);
	const lock = createLock(dataFolder);
	const isOutdated = () => embedder !== undefined && store.stale !== undefined;
	const readers = createReadersNote(dataFolder);
	const indexer = createIndexer({ store, parsers, lock, sources, isOutdated, readers });
	const onError = unlessBusy(options.onError);
	const changes = createChangeQueue(indexer, onError);
	const doors = createDoors({
		...{ store, storeGraph, embedder, pathOf: sources.pathOf, sparqlProgram: options.sparqlProgram },
		policyOf: createPolicies(sources.policies),
		notices: sources.notices,
	});
	const catalog = createCatalog({ store, sources, indexer, graph: storeGraph });
	return createKnowledgeBase({
		...{ embedder, notices, store, sources, parsers, lock, indexer, changes, onError, catalog, doors },
		graph: options.graphEndpoint ? openEndpoint(options.graphEndpoint) : doors.graph,
	});
}

interface Parts {
	readonly embedder: Embedder | undefined;
	readonly notices: readonly string[];
	readonly store: Store;
	readonly sources: Sources;
	readonly parsers: ParserPool;
	readonly lock: Lock;
	readonly indexer: Indexer;
	readonly changes: ChangeQueue;
	readonly onError: (thrown: unknown) => void;
	readonly catalog: Catalog;
	readonly doors: Doors;
	readonly graph: KnowledgeGraph;
}

function createKnowledgeBase(parts: Parts): KnowledgeBase {
	const { store, sources, parsers, lock, indexer, changes, catalog, doors } = parts;
	const never = new AbortController().signal;
	return {
		search: async (query, signal) => {
			const result = await doors.search(query, signal);
			return { ...result, notices: [...answerNotices(parts), ...result.notices] };
		},
		read: doors.read,
		index: indexer.sync,
		graph: parts.graph,
		catalog,
		status: () => readStatus(parts),
		setFolders: (folders) => {
			sources.setFolders(folders);
			if (store.documents().size > 0)
				indexer.sync({ rebuild: false, fresh: true }, () => undefined, never).catch(parts.onError);
		},
		filesChanged: (uris) => changes.add(uris.flatMap((uri) => filePathOf(uri) ?? [])),
		close: async () => {
			changes.close();
			await indexer.close();
			await Promise.all([parsers.close(), doors.close()]);
			await store.close();
			await lock.release();
		},
	};
}

/** The same store, which tells what documents every change that is committed is about. */
function tellingChanges(store: Store, onChange: (uris: readonly string[]) => void): Store {
	return Object.create(store, {
		replace: {
			value: async (documents: Parameters<Store["replace"]>[0]) => {
				await store.replace(documents);
				onChange(documents.map(({ record }) => record.uri));
			},
		},
		remove: { value: (uris: readonly string[]) => store.remove(uris).then(() => onChange(uris)) },
		clear: { value: () => store.clear().then(() => onChange([])) },
	});
}

/** An address that is none fails the questions to the graph, and nothing else. */
function openEndpoint(endpoint: string): KnowledgeGraph {
	let opened: KnowledgeGraph | undefined;
	const open = () => {
		opened ??= createEndpointGraph({ endpoint });
		return opened;
	};
	return {
		query: async (query, signal) => open().query(query, signal),
		check: async (sparql, signal) => open().check(sparql, signal),
		ontology: async (query, signal) => open().ontology(query, signal),
	};
}

/** Without its model there is still the search by words; the status says what is missing. */
async function openEmbedder(
	modelFolder: string,
): Promise<{ embedder?: Embedder; notices: readonly string[] }> {
	try {
		return { embedder: await openStaticEmbedder(modelFolder), notices: [] };
	} catch (thrown) {
		if (thrown instanceof Failure) return { notices: [thrown.message] };
		throw thrown;
	}
}

/** Where another window keeps the index in step, nothing is wrong. */
function unlessBusy(onError: (thrown: unknown) => void): (thrown: unknown) => void {
	return (thrown) => {
		if (!(thrown instanceof Failure) || thrown.code !== "BUSY") onError(thrown);
	};
}
