import * as vscode from "vscode";
import type { Knowledge } from "../core/knowledge.ts";
import { filesChanged, foldersChanged, type WorkerOptions } from "../protocol/worker.ts";
import { createWorkerClient } from "../protocol/workerClient.ts";
import { watchFiles } from "./fileWatch.ts";
import { workspaceFolders } from "./folders.ts";
import { excludedGlobs } from "./settings.ts";
import type { WorkerProcess } from "./workerProcess.ts";

/** The worker, loaded with all that it needs by the first question. */
export interface WorkerLink extends vscode.Disposable {
	knowledge(): Promise<Knowledge>;
}

interface WorkerLinkDeps {
	readonly log: vscode.LogOutputChannel;
	/** Called when what the worker knew of the files may be old. */
	onStale(): void;
}

export function createWorkerLink(context: vscode.ExtensionContext, deps: WorkerLinkDeps): WorkerLink {
	let opened: Promise<{ knowledge: Knowledge; stop: vscode.Disposable }> | undefined;
	const open = async () => {
		const { createWorkerProcess } = await import("./workerProcess.ts");
		const worker = createWorkerProcess({
			log: deps.log,
			module: context.asAbsolutePath("dist/worker.cjs"),
			options: () => optionsOf(context),
			onCrash: deps.onStale,
		});
		const stop = vscode.Disposable.from(worker, ...keepInStep(worker, deps.onStale));
		return { knowledge: createWorkerClient(worker.pipe), stop };
	};
	return {
		knowledge: async () => {
			opened ??= open();
			return (await opened).knowledge;
		},
		dispose: () => void opened?.then(({ stop }) => stop.dispose()),
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
