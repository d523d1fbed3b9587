import { fileURLToPath, pathToFileURL } from "node:url";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Knowledge } from "../core/knowledge.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { createGraphClient, createWorkerClient } from "../protocol/workerClient.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { watchFolders } from "./watchFolders.ts";
import { createWorkerProcess } from "./workerProcess.ts";

/** The knowledge of some folders, kept in step with them by a worker of our own. */
export interface KnowledgeService {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly readiness: Readiness;
	close(): Promise<void>;
}

export function openService({
	program,
	options,
	onError,
}: {
	/** Absolute path of the worker's program. */
	readonly program: string;
	readonly options: WorkerOptions;
	/** Hears of what no caller waits for. */
	readonly onError: (message: string) => void;
}): KnowledgeService {
	const closing = new AbortController();
	const worker = createWorkerProcess({
		program,
		options,
		onStopped: () => {
			readiness.forget();
			onError("The worker stopped; the next question starts it again.");
		},
		onMessage: onError,
	});
	const knowledge = createWorkerClient(worker.pipe);
	const readiness = createReadiness(knowledge, { closing: closing.signal, onError });
	const watch = watchFolders(
		options.folders.map(({ uri }) => fileURLToPath(uri)),
		{
			dataFolder: options.dataFolder,
			onChange: (paths) => worker.filesChanged({ uris: paths.map((path) => pathToFileURL(path).href) }),
			onError,
		},
	);
	return {
		knowledge,
		graph: createGraphClient(worker.pipe),
		readiness,
		close: async () => {
			closing.abort();
			watch[Symbol.dispose]();
			await worker.stop();
		},
	};
}
