import * as vscode from "vscode";
import type { Catalog } from "../core/catalog.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Knowledge } from "../core/knowledge.ts";
import type { Pipe } from "../protocol/pipe.ts";
import { filesChanged, foldersChanged, type WorkerOptions } from "../protocol/worker.ts";
import { createCatalogClient, createGraphClient, createWorkerClient } from "../protocol/workerClient.ts";
import { watchFiles } from "./fileWatch.ts";
import { workspaceFolders } from "./folders.ts";
import { excludedGlobs } from "./settings.ts";
import type { WorkerProcess } from "./workerProcess.ts";

/** What the worker answers, loaded with all that it needs by the first question. */
export interface WorkerLink extends vscode.Disposable {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly catalog: Catalog;
	/** Fires when the index changed. */
	readonly onDidChangeIndex: vscode.Event<void>;
}

interface WorkerLinkDeps {
	readonly log: vscode.LogOutputChannel;
	/** Called when what the worker knew of the files may be old. */
	onStale(): void;
}

export function createWorkerLink(context: vscode.ExtensionContext, deps: WorkerLinkDeps): WorkerLink {
	const changed = new vscode.EventEmitter<void>();
	const opened = once(async () => {
		const { createWorkerProcess } = await import("./workerProcess.ts");
		const worker = createWorkerProcess({
			log: deps.log,
			module: context.asAbsolutePath("dist/worker.cjs"),
			options: () => optionsOf(context),
			onCrash: deps.onStale,
			onIndexChange: () => changed.fire(),
		});
		return { pipe: worker.pipe, stop: vscode.Disposable.from(worker, ...keepInStep(worker, deps.onStale)) };
	});
	const pipe = lazyPipe(async () => (await opened.get()).pipe);
	return {
		knowledge: createWorkerClient(pipe),
		graph: createGraphClient(pipe),
		catalog: createCatalogClient(pipe),
		onDidChangeIndex: changed.event,
		dispose: () => {
			changed.dispose();
			void opened.peek()?.then(({ stop }) => stop.dispose());
		},
	};
}

function once<T>(make: () => Promise<T>) {
	let made: Promise<T> | undefined;
	return {
		get: () => {
			made ??= make();
			return made;
		},
		peek: () => made,
	};
}

/** A pipe that is opened by its first request. Progress is asked for before it, and heard of after. */
function lazyPipe(open: () => Promise<Pipe>): Pipe {
	return {
		sendRequest: async (type, params, token) => (await open()).sendRequest(type, params, token),
		onProgress: (type, token, listener) => {
			const subscription = open().then((pipe) => pipe.onProgress(type, token, listener));
			return { dispose: () => void subscription.then((started) => started.dispose()) };
		},
	};
}

/** Tells the worker of everything that happens to files and folders. */
function keepInStep(worker: WorkerProcess, onStale: () => void): vscode.Disposable[] {
	return [
		watchFiles((uris) => void worker.notify(filesChanged, { uris })),
		vscode.workspace.onDidChangeWorkspaceFolders(() => {
			onStale();
			void worker.notify(foldersChanged, workspaceFolders());
		}),
	];
}

function optionsOf(context: vscode.ExtensionContext): WorkerOptions {
	// A window without a folder has no storage of its own; nothing is indexed there.
	const storage = context.storageUri ?? vscode.Uri.joinPath(context.globalStorageUri, "no-folder");
	return {
		dataFolder: vscode.Uri.joinPath(storage, "index").fsPath,
		modelFolder: context.asAbsolutePath("media/model"),
		folders: workspaceFolders(),
		excludes: excludedGlobs(),
	};
}
