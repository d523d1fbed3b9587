import { availableParallelism } from "node:os";
import { Failure } from "../base/failure.ts";
import type { Catalog } from "../core/knowledge/catalog.ts";
import type { Descriptions } from "../core/knowledge/descriptor.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type {
	Folder,
	Knowledge,
	SearchChoice,
	SearchQuery,
	SearchResult,
} from "../core/knowledge/knowledge.ts";
import { createEndpointGraph } from "../graph/endpoint/endpointGraph.ts";
import type { Store } from "../store/store.ts";
import { createCatalog } from "./answers/catalog.ts";
import { answerNotices, readStatus } from "./answers/status.ts";
import { createStoreGraph } from "./answers/storeGraph.ts";
import { createDescriptions } from "./descriptions/descriptions.ts";
import { createDescriptorKeeper, type DescriptorKeeper } from "./descriptions/descriptorKeeper.ts";
import { createQuestionEmbedder, type QuestionEmbedder } from "./embedding/questionEmbedder.ts";
import { createVectorKeeper, type VectorKeeper } from "./embedding/vectorKeeper.ts";
import { filePathOf } from "./files/fileUri.ts";
import { createSources, type Sources } from "./files/sources.ts";
import { type ChangeQueue, createChangeQueue } from "./indexing/changeQueue.ts";
import { createIndexer, type Indexer } from "./indexing/indexer.ts";
import type { Lock } from "./indexing/lock.ts";
import type { KnowledgeBaseOptions } from "./knowledgeBaseOptions.ts";
import { createParserPool, type ParserPool } from "./parsing/parserPool.ts";
import { openPlace, type Place } from "./place.ts";
import { createDoors, type Doors } from "./policy/doors.ts";
import { createPolicies } from "./policy/policies.ts";
import { indexFolderOf } from "./storage.ts";

/** What one file may take of the parser's time and memory. */
const FILE_LIMITS = { limitMs: 10_000, maxHeapMb: 1024 };

/** More would only wait for the one process that writes. */
const MOST_PARSERS = 4;

/** The knowledge of some folders, with what keeps it in step with them. */
export interface KnowledgeBase extends Knowledge {
	readonly graph: KnowledgeGraph;
	readonly catalog: Catalog;
	readonly descriptions: Descriptions;
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
	/** Ends what is at work, and leaves what it has done. */
	close(): Promise<void>;
}

/** Builds all that answers. */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
	const { folders, excludes = [], agentInstructions = false, storage: settings = {} } = options;
	const dataFolder = indexFolderOf({ dataFolder: options.dataFolder, settings });
	const sources = createSources({ dataFolder, folders, excludes, agentInstructions });
	const place = await openPlace(options, sources);
	const { stored, models, lock, readers, readOnly } = place;
	const embedder = createQuestionEmbedder(stored, models);
	const storeGraph = createStoreGraph(stored, { isWriting: () => indexer.progress() !== undefined });
	const onError = unlessNotOurs(options.onError);
	const store = tellingChanges(stored, (uris) => {
		doors.invalidate(uris);
		vectors.start();
		options.onChange();
	});
	const parsers = openParsers(options, place);
	const indexer = createIndexer({ store, parsers, lock, sources, readers, onError });
	const vectors = createVectorKeeper({ store: stored, models, indexer, lock, onError });
	const changes = createChangeQueue(indexer, onError);
	const keeper = createDescriptorKeeper({ store: stored, models, onError });
	const doors = createDoors({
		descriptors: keeper.current,
		...{ store, storeGraph, embedder, pathOf: sources.pathOf, sparqlProgram: options.sparqlProgram },
		policyOf: createPolicies(sources.policies),
		notices: sources.notices,
	});
	const catalog = createCatalog({ store, sources, indexer, graph: storeGraph });
	const descriptions = createDescriptions({ store, lock, sight: () => doors.sightOf("chat") });
	const notices = () => [
		...place.notices(),
		...vectors.notices(),
		...(embedder.trouble ?? []),
		...keeper.notices(),
	];
	if (place.readOnly === undefined) vectors.start();
	return createKnowledgeBase({
		...{ embedder, notices, readOnly, store, sources, parsers, lock },
		...{ indexer, vectors, changes, onError, catalog, doors, keeper, descriptions },
		searchChoice: options.search ?? {},
		graph: options.graphEndpoint ? openEndpoint(options.graphEndpoint) : doors.graph,
	});
}

/** The parsers' processes make the vectors of the built-in model themselves. */
function openParsers(
	{ parserProgram: program, modelFolder, recorder }: KnowledgeBaseOptions,
	place: Place,
): ParserPool {
	const { models, stored } = place;
	const isEmbedding = [models.wanted?.id, stored.embedder?.id].some(models.isBuiltIn);
	return createParserPool(
		{ program, options: isEmbedding ? { modelFolder } : {}, ...FILE_LIMITS, ...(recorder && { recorder }) },
		Math.min(availableParallelism(), MOST_PARSERS),
	);
}

interface Parts {
	readonly embedder: QuestionEmbedder;
	readonly notices: () => readonly string[];
	readonly readOnly: string | undefined;
	readonly store: Store;
	readonly sources: Sources;
	readonly parsers: ParserPool;
	readonly lock: Lock;
	readonly indexer: Indexer;
	readonly vectors: VectorKeeper;
	readonly changes: ChangeQueue;
	readonly onError: (thrown: unknown) => void;
	readonly catalog: Catalog;
	readonly doors: Doors;
	readonly keeper: DescriptorKeeper;
	readonly descriptions: Descriptions;
	readonly graph: KnowledgeGraph;
	readonly searchChoice: SearchChoice;
}

function createKnowledgeBase(parts: Parts): KnowledgeBase {
	const { store, sources, parsers, lock, indexer, vectors, changes, catalog, doors, keeper } = parts;
	const never = new AbortController().signal;
	return {
		search: async (query, signal) => {
			const result = await searchInOneSpace({ ...parts.searchChoice, ...query }, signal);
			return { ...result, notices: [...answerNotices(parts), ...result.notices] };
		},
		read: doors.read,
		index: async (options, onProgress, signal) => {
			const report = await indexer.sync(options, onProgress, signal);
			vectors.start();
			if (parts.graph === doors.graph) doors.loadAhead();
			return report;
		},
		graph: parts.graph,
		catalog,
		descriptions: parts.descriptions,
		status: () => readStatus({ ...parts, readDescriptors: keeper.read }),
		setFolders: (folders) => {
			sources.setFolders(folders);
			if (store.documents().size > 0)
				indexer.sync({ rebuild: false, fresh: true }, () => undefined, never).catch(parts.onError);
		},
		filesChanged: (uris) => changes.add(uris.flatMap((uri) => filePathOf(uri) ?? [])),
		close: async () => {
			changes.close();
			await Promise.all([indexer.close(), vectors.close()]);
			await Promise.all([parsers.close(), doors.close(), keeper.close()]);
			await store.close();
			await lock.release();
		},
	};

	/** Again, where the vectors of another model took the place of those that the question was embedded for. */
	async function searchInOneSpace(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
		// While a run is at work here nobody else writes, and a look at the tables would wait for what is being written.
		if (!indexer.progress()) await store.refresh();
		const made = store.embedder?.id;
		const result = await doors.search(query, signal);
		return store.embedder?.id === made ? result : searchInOneSpace(query, signal);
	}
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

/** Where another window keeps the index in step, or nobody here may, nothing is wrong. */
function unlessNotOurs(onError: (thrown: unknown) => void): (thrown: unknown) => void {
	return (thrown) => {
		if (!(thrown instanceof Failure) || (thrown.code !== "BUSY" && thrown.code !== "READ_ONLY"))
			onError(thrown);
	};
}
