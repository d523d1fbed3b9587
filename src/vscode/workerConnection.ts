import * as vscode from "vscode";
import type { Catalog } from "../core/catalog.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Knowledge } from "../core/knowledge.ts";
import type { Memory } from "../core/memory.ts";
import type { Sessions } from "../core/session.ts";
import { createMemoryClient, createSessionsClient } from "../protocol/sessionsClient.ts";
import { filesChanged, foldersChanged } from "../protocol/worker.ts";
import { createCatalogClient, createGraphClient, createWorkerClient } from "../protocol/workerClient.ts";
import { watchFiles } from "./fileWatch.ts";
import { knowledgeFolders } from "./folders.ts";
import { createWorkerProcess, type WorkerDeps, type WorkerProcess } from "./workerProcess.ts";

/** What the worker answers. */
export interface WorkerConnection extends vscode.Disposable {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly catalog: Catalog;
	readonly sessions: Sessions;
	readonly memory: Memory;
}

/** The worker with its clients, told of everything that happens to files and folders from now on. */
export function connectWorker(deps: WorkerDeps): WorkerConnection {
	const worker = createWorkerProcess(deps);
	const parts = vscode.Disposable.from(worker, ...keepInStep(worker, deps.onStale));
	return {
		knowledge: createWorkerClient(worker.pipe),
		graph: createGraphClient(worker.pipe),
		catalog: createCatalogClient(worker.pipe),
		sessions: createSessionsClient(worker.pipe),
		memory: createMemoryClient(worker.pipe),
		dispose: () => parts.dispose(),
	};
}

function keepInStep(worker: WorkerProcess, onStale: () => void): vscode.Disposable[] {
	const refolder = () => {
		onStale();
		void worker.notify(foldersChanged, knowledgeFolders());
	};
	return [
		watchFiles((uris) => void worker.notify(filesChanged, { uris })),
		vscode.workspace.onDidChangeWorkspaceFolders(refolder),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-ld.folders")) refolder();
			if (change.affectsConfiguration("copilot-ld.graph")) void worker.restart();
		}),
	];
}
