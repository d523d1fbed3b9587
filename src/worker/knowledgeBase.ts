import { join } from "node:path";
import type { Embedder } from "../core/embedder.ts";
import { Failure } from "../core/failure.ts";
import type { Folder, Knowledge } from "../core/knowledge.ts";
import { openStaticEmbedder } from "../embed/staticEmbedder.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { createRetriever, type Retriever } from "../retrieve/search.ts";
import { openStore } from "../store/openStore.ts";
import type { Store } from "../store/store.ts";
import { type ChangeQueue, createChangeQueue } from "./changeQueue.ts";
import { filePathOf } from "./fileUri.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import { createLock, type Lock } from "./lock.ts";
import { createReader } from "./read.ts";
import { createSources, type Sources } from "./sources.ts";
import { answerNotices, readStatus } from "./status.ts";
import { createSuggest } from "./suggest.ts";
import { createThreadedParser, type Parser } from "./threadedParser.ts";

/** What one file may take of the parser's time and memory. */
const FILE_LIMITS = { limitMs: 10_000, maxHeapMb: 2048 };

/** The knowledge of some folders, with what keeps it in step with them. */
export interface KnowledgeBase extends Knowledge {
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
	/** Ends what is at work, and leaves what it has done. */
	close(): Promise<void>;
}

export interface KnowledgeBaseOptions extends WorkerOptions {
	/** Absolute path of the parser thread's program. */
	readonly parserProgram: string;
	/** Hears of what no caller waits for. */
	readonly onError: (thrown: unknown) => void;
}

/** Builds all that answers. */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
	const { dataFolder, modelFolder, folders, excludes = [], parserProgram: program } = options;
	const { embedder, notices } = await openEmbedder(modelFolder);
	const store = await openStore({ folder: join(dataFolder, "index"), embedder });
	const sources = createSources({ dataFolder, folders, excludes });
	const thread = embedder ? { modelFolder } : {};
	const parser = createThreadedParser({ program, thread, ...FILE_LIMITS });
	const lock = createLock(dataFolder);
	const isOutdated = () => embedder !== undefined && store.stale !== undefined;
	const indexer = createIndexer({ store, parser, lock, sources, isOutdated });
	const onError = unlessBusy(options.onError);
	const changes = createChangeQueue(indexer, onError);
	const retriever = createRetriever({ store, embedder, pathOf: sources.pathOf });
	const parts = { embedder, notices, store, sources, parser, lock, indexer, changes, retriever, onError };
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
}

function createKnowledgeBase(parts: Parts): KnowledgeBase {
	const { store, sources, parser, lock, indexer, changes, retriever } = parts;
	const { pathOf } = sources;
	const closing = new AbortController();
	const index: Knowledge["index"] = (options, onProgress, signal) =>
		indexer.sync(options, onProgress, AbortSignal.any([signal, closing.signal]));
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
		index,
		status: () => readStatus(parts),
		setFolders: (folders) => {
			sources.setFolders(folders);
			if (store.documents().size > 0)
				index({ rebuild: false }, () => undefined, closing.signal).catch(parts.onError);
		},
		filesChanged: (uris) => changes.add(uris.flatMap((uri) => filePathOf(uri) ?? [])),
		close: async () => {
			closing.abort();
			changes.close();
			await indexer.idle();
			await parser.close();
			await store.close();
			await lock.release();
		},
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
