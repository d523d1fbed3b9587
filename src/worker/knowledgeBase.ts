import { join } from "node:path";
import type { PausableCatalog } from "../core/catalog.ts";
import type { Embedder } from "../core/embedder.ts";
import { Failure } from "../core/failure.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Folder, Knowledge } from "../core/knowledge.ts";
import { openStaticEmbedder } from "../embed/staticEmbedder.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { createRetriever, type Retriever } from "../retrieve/search.ts";
import { createKnowledgeGraph } from "../store/graph/knowledgeGraph.ts";
import { createSparql, type Sparql } from "../store/graph/sparql.ts";
import { openStore } from "../store/openStore.ts";
import type { Store } from "../store/store.ts";
import { createCatalog } from "./catalog.ts";
import { type ChangeQueue, createChangeQueue } from "./changeQueue.ts";
import { filePathOf } from "./fileUri.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { createLock, type Lock } from "./lock.ts";
import { createReader } from "./read.ts";
import { createReadersNote } from "./readersNote.ts";
import { createSources, type Sources } from "./sources.ts";
import { answerNotices, readStatus } from "./status.ts";
import { createStoreGraph, type StoreGraph } from "./storeGraph.ts";
import { createSuggest } from "./suggest.ts";
import { createThreadedParser, type Parser } from "./threadedParser.ts";

/** What one file may take of the parser's time and memory. */
const FILE_LIMITS = { limitMs: 10_000, maxHeapMb: 2048 };

/** The knowledge of some folders, with what keeps it in step with them. */
export interface KnowledgeBase extends Knowledge {
	readonly graph: KnowledgeGraph;
	readonly catalog: PausableCatalog;
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
	/** Ends what is at work, and leaves what it has done. */
	close(): Promise<void>;
}

export interface KnowledgeBaseOptions extends WorkerOptions {
	/** Absolute paths of the threads' programs. */
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
	const graph = createStoreGraph(stored);
	const store = tellingChanges(stored, graph, options.onChange);
	const sources = createSources({ dataFolder, folders, excludes });
	const thread = embedder ? { modelFolder } : {};
	const parser = createThreadedParser({ program, thread, ...FILE_LIMITS });
	const lock = createLock(dataFolder);
	const isOutdated = () => embedder !== undefined && store.stale !== undefined;
	const readers = createReadersNote(dataFolder);
	const indexer = createIndexer({ store, parser, lock, sources, isOutdated, readers });
	const onError = unlessBusy(options.onError);
	const changes = createChangeQueue(indexer, onError);
	const retriever = createRetriever({ store, embedder, pathOf: sources.pathOf });
	const sparql = createSparql({ graph: graph.graph, threadUrl: options.sparqlProgram });
	const knowledgeGraph = createKnowledgeGraph({ graph: graph.graph, sparql, toPath: sources.pathOf });
	const catalog = createCatalog({ store, sources, indexer, graph });
	const parts = {
		...{ embedder, notices, store, sources, parser, lock, indexer, changes, retriever, onError },
		...{ catalog, sparql, graph: inStep(knowledgeGraph, graph) },
	};
	return createKnowledgeBase(parts);
}

interface Parts {
	readonly embedder: Embedder | undefined;
	readonly notices: readonly string[];
	readonly store: Store;
	readonly sources: Sources;
	readonly parser: Parser;
	readonly lock: Lock;
	readonly indexer: Indexer;
	readonly changes: ChangeQueue;
	readonly retriever: Retriever;
	readonly onError: (thrown: unknown) => void;
	readonly graph: KnowledgeGraph;
	readonly catalog: PausableCatalog;
	readonly sparql: Sparql;
}

function createKnowledgeBase(parts: Parts): KnowledgeBase {
	const { store, sources, parser, lock, indexer, changes, retriever, graph, catalog, sparql } = parts;
	const { pathOf } = sources;
	const never = new AbortController().signal;
	return {
		search: async (query, signal) => {
			const result = await retriever.search(query, signal);
			return { ...result, notices: [...answerNotices(parts), ...result.notices] };
		},
		read: createReader({
			store,
			pathOf,
			suggest: createSuggest({ store, pathOf, search: retriever.search }),
		}),
		index: indexer.sync,
		graph,
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
			await Promise.all([parser.close(), sparql.close()]);
			await store.close();
			await lock.release();
		},
	};
}

/** The graph is read when it is first asked, and brought in step before every question. */
function inStep(knowledge: KnowledgeGraph, graph: StoreGraph): KnowledgeGraph {
	const after = async <Result>(signal: AbortSignal, ask: () => Promise<Result>) => {
		await graph.current(signal);
		return ask();
	};
	return {
		query: (query, signal) => after(signal, () => knowledge.query(query, signal)),
		check: (sparql, signal) => after(signal, () => knowledge.check(sparql, signal)),
		ontology: (query, signal) => after(signal, () => knowledge.ontology(query, signal)),
	};
}

/** The same store, which tells of every change that is committed. */
function tellingChanges(store: Store, graph: StoreGraph, onChange: () => void): Store {
	return Object.create(store, {
		replace: {
			value: async (documents: Parameters<Store["replace"]>[0]) => {
				await store.replace(documents);
				graph.invalidate(documents.map(({ record }) => record.uri));
				onChange();
			},
		},
		remove: { value: (uris: readonly string[]) => store.remove(uris).then(onChange) },
		clear: { value: () => store.clear().then(onChange) },
	});
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
