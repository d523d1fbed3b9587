import { availableParallelism } from "node:os";
import { Failure } from "../base/failure.ts";
import { lazily } from "../base/jobs/lazily.ts";
import { createListeners } from "../base/jobs/listeners.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type { Knowledge, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { FromChannel } from "../core/permission/permission.ts";
import type { IndexData } from "../core/storedData.ts";
import { createEndpointGraph } from "../graph/endpoint/endpointGraph.ts";
import type { Store } from "../store/port/store.ts";
import { createChannels } from "./answers/answers.ts";
import { createCatalog, createPublication } from "./answers/catalog.ts";
import { contentsOf, indexNotices, readStatus, type StatusPorts } from "./answers/status.ts";
import { createStoreGraph } from "./answers/storeGraph.ts";
import { createDescriptions, createDescriptorKeeper } from "./descriptions/descriptions.ts";
import { createQuestionEmbedder } from "./embedding/models.ts";
import { createVectorKeeper } from "./embedding/vectorKeeper.ts";
import { createSources, type FileFollower, filePathOf } from "./files/sources.ts";
import { createChangeQueue } from "./indexing/changeQueue.ts";
import { createIndexer } from "./indexing/indexer.ts";
import { createParserPool, createParserProcess } from "./parsing/parserProcess.ts";
import { createPolicies } from "./policy/policies.ts";
import {
	createStoredIndex,
	indexFolderOf,
	type KnowledgeBaseOptions,
	type OpenIndex,
	openIndex,
} from "./storedIndex.ts";

const FILE_LIMITS = { limitMs: 10_000, maxHeapMb: 1024 };

const SHAPE_LIMITS = { limitMs: 30_000, maxHeapMb: 1536 };

/** Maximum number of parsers: more parsers would only wait for the single writer. */
const MOST_PARSERS = 4;

export type KnowledgeBase = ReturnType<typeof createKnowledgeBase>;

type Parts = Awaited<ReturnType<typeof openParts>>;

export async function openKnowledgeBase(options: KnowledgeBaseOptions) {
	const parts = await openParts(options);
	const { place, indexer, vectors, channels, committed, closing } = parts;
	void committed.watch((uris) => {
		channels.invalidate(uris);
		vectors.start();
		options.onChange();
	}, closing.signal);
	const indexData = createStoredIndex(options, place, indexer, committed.tell);
	await indexData.resume();
	if (place.readOnly === undefined) vectors.start();
	return createKnowledgeBase(parts, indexData);
}

async function openParts(options: KnowledgeBaseOptions) {
	const { excludes = [] } = options;
	const sources = createSources({ ...options, excludes, dataFolder: indexFolderOf(options) });
	const place = await openIndex(options, sources);
	const { store, models, lock } = place;
	const onError = unlessNotOurs(options.onError);
	const embedder = createQuestionEmbedder(store, models);
	const { parserProgram: program, recorder } = options;
	// The validator is a separate process, because validation may take long and files must not wait.
	const validator = createParserProcess({ program, options: {}, ...SHAPE_LIMITS, recorder });
	const programs = { parsers: openParsers(options, place), validator };
	const committed = createListeners<readonly string[]>();
	const indexing = { store: createIndexStore(store, committed.tell), readers: place.readers };
	const indexer = createIndexer({ ...indexing, parsers: programs.parsers, lock, sources, onError });
	const vectors = createVectorKeeper({ store, models, indexer, lock, onError, onProgress: options.onChange });
	const keeper = createDescriptorKeeper(store, models, onError);
	const isLarge = () => store.engine() === "lancedb";
	const isWriting = () => indexer.progress() !== undefined;
	const storeGraph = createStoreGraph(place.reads, { isWriting, isLarge });
	const channels = createChannels({
		...programs,
		store: place.reads,
		storeGraph,
		isLarge,
		embedder,
		descriptors: keeper.current,
		...(models.words && { words: models.words }),
		pathOf: sources.pathOf,
		sparqlProgram: options.sparqlProgram,
		policies: createPolicies(sources.policies),
	});
	const changes = createChangeQueue(indexer, onError);
	const closing = new AbortController();
	const writing = { indexer, vectors, changes, committed, closing, onError };
	return { ...programs, ...writing, options, place, sources, embedder, keeper, storeGraph, channels };
}

function openParsers({ parserProgram, modelFolder, recorder }: KnowledgeBaseOptions, place: OpenIndex) {
	const { models, store } = place;
	const isEmbedding = [models.first?.id, store.embedder()?.id].some(models.isBuiltIn);
	const options = isEmbedding ? { modelFolder } : {};
	const size = Math.min(availableParallelism(), MOST_PARSERS);
	return createParserPool({ program: parserProgram, options, ...FILE_LIMITS, recorder }, size);
}

function createKnowledgeBase(parts: Parts, indexData: IndexData) {
	const { options, place, sources, indexer, vectors, channels } = parts;
	const { store, reads, lock } = place;
	const sight = () => channels.sightOf("chat");
	const status = statusPortsOf(parts);
	return {
		search: async (query, signal) => {
			const result = await searchInOneSpace(parts, { ...options.search, ...query }, signal);
			const unread = indexer.progress();
			const notices = [...indexNotices(status), ...status.notices(), ...result.notices];
			const extent = (unread || indexer.isPaused) && ({ extent: "read" } as const);
			const progress = unread && { unread: { done: unread.done, total: unread.total } };
			return { ...extent, ...result, ...progress, notices };
		},
		read: channels.read,
		index: async (wanted, onProgress, signal) => {
			const report = await indexer.sync(wanted, onProgress, signal);
			vectors.start();
			if (!options.graphEndpoint) channels.loadAhead();
			return { ...report, contents: contentsOf(reads.documents(), sources.pathOf) };
		},
		indexData,
		catalog: createCatalog(reads, sources, indexer, parts.storeGraph),
		descriptions: createDescriptions(store, sight, lock),
		publication: createPublication(reads, sources, sight),
		graph: graphOf(options, channels.graph, () => indexNotices(status)),
		things: channels.things,
		visibility: channels.visibility,
		status: () => readStatus(status),
		setFolders: (folders) => {
			sources.setFolders(folders);
			if (store.documents().size > 0)
				indexer
					.sync({ rebuild: false, fresh: true }, () => undefined, new AbortController().signal)
					.catch(parts.onError);
		},
		filesChanged: (uris) => parts.changes.add(uris.flatMap((uri) => filePathOf(uri) ?? [])),
		close: () => close(parts),
	} satisfies Knowledge & FileFollower & Record<string, unknown>;
}

function statusPortsOf({ place, embedder, sources, indexer, vectors, keeper }: Parts): StatusPorts {
	const notices = () => [...place.notices(), ...vectors.notices(), ...embedder.trouble, ...keeper.notices()];
	const { progress: embedding } = vectors;
	return { ...place, sources, indexer, embedder, notices, readDescriptors: keeper.read, embedding };
}

async function close({ place, parsers, validator, indexer, ...parts }: Parts): Promise<void> {
	const { vectors, changes, channels, keeper } = parts;
	changes.close();
	await Promise.all([indexer.close(), vectors.close()]);
	await Promise.all([parsers.close(), validator.close(), channels.close(), keeper.close()]);
	place.models.close();
	await place.store.close();
	await place.lock.release();
	parts.closing.abort();
}

/** Searches again if another model's vectors replaced the old vectors after the question was embedded. */
async function searchInOneSpace(
	parts: Parts,
	query: FromChannel<SearchQuery>,
	signal: AbortSignal,
): Promise<SearchResult> {
	const { store } = parts.place;
	// During an indexing run of this process, no other process writes, and a refresh would wait for the writes.
	if (!parts.indexer.progress()) await store.refresh();
	// Prepare the store while the graph is read. The search itself reports errors.
	store.prepare().catch(() => undefined);
	const made = store.embedder()?.id;
	const result = await parts.channels.search(query, signal);
	return store.embedder()?.id === made ? result : searchInOneSpace(parts, query, signal);
}

/** Returns the graph of the endpoint or of the files; answers from files state how complete the index is. */
function graphOf({ graphEndpoint }: KnowledgeBaseOptions, files: KnowledgeGraph, notices: () => string[]) {
	// Opened lazily, so that an invalid endpoint fails graph queries only.
	if (graphEndpoint) return lazily(async () => createEndpointGraph({ endpoint: graphEndpoint }));
	return {
		...files,
		query: async (query, signal) => {
			const result = await files.query(query, signal);
			const missing = notices();
			const isPartial = result.isPartial || missing.length > 0;
			return { ...result, ...(isPartial && { isPartial }), notices: [...missing, ...result.notices] };
		},
	} satisfies KnowledgeGraph;
}

/** Ignores errors that only mean that another process updates the index, or that the index is read-only. */
function unlessNotOurs(onError: (thrown: unknown) => void): (thrown: unknown) => void {
	return (thrown) => {
		if (!(thrown instanceof Failure) || (thrown.code !== "BUSY" && thrown.code !== "READ_ONLY"))
			onError(thrown);
	};
}

function createIndexStore(store: Store, onChange: (uris: readonly string[]) => void): Store {
	const after = (write: Promise<void>, uris: readonly string[]) => write.then(() => onChange(uris));
	return {
		...store,
		replace: (documents) =>
			after(
				store.replace(documents),
				documents.map(({ record }) => record.uri),
			),
		remove: (uris) => after(store.remove(uris), uris),
		clear: () => after(store.clear(), []),
	};
}
