import { join } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import { cliHome, personHome } from "../../loads/cliHome.ts";
import { ask, createPortsClient } from "../../protocol/portsClient.ts";
import { diagnose, filesChanged, foldersChanged, type WorkerDiagnostics } from "../../protocol/worker.ts";
import { knowledgeFolders } from "../folders.ts";
import { watched } from "../registerEach.ts";
import { isOfWorker } from "../secrets.ts";
import { createWorkerProcess, type WorkerDeps, type WorkerProcess } from "./process.ts";

export interface ConnectionDeps extends WorkerDeps {
	/** Resolves to whether the identity has changed. */
	identify(): Promise<boolean>;
	readonly onDidChangeIdentity: vscode.Event<unknown>;
}

export function connectWorker(deps: ConnectionDeps) {
	const worker = createWorkerProcess(deps);
	const ports = createPortsClient(worker.pipe);
	/** A worker that was at work goes on at once, under the new settings. */
	const restart = async () => {
		if (await worker.restart()) await ports.knowledge.status(new AbortController().signal);
	};
	const restartOnce = coalesce(restart);
	// Several settings change at once: a call while one waits for its turn is that one.
	const onRestart = () => void restartOnce().catch((thrown) => deps.log.error(messageOf(thrown)));
	const parts = vscode.Disposable.from(
		worker,
		...keepInStep(worker, deps.onStale, onRestart),
		deps.secrets.onDidChange(({ key }) => isOfWorker(key) && onRestart()),
		deps.onDidChangeIdentity(async () => {
			if (await deps.identify()) onRestart();
		}),
	);
	return {
		...ports,
		/** The worker's data about itself; `undefined` if it is not running. Does not start it. */
		diagnose: async (signal: AbortSignal): Promise<WorkerDiagnostics | undefined> =>
			worker.isRunning() ? ask(worker.pipe, { type: diagnose, params: {} }, signal) : undefined,
		dispose: () => parts.dispose(),
	};
}

const OPTIONS = ["LD.graph", "LD.embedding", "LD.storage", "LD.sessions", "LD.index", "ld.search"].map(
	(name) => `copilot-${name}`,
);

function ownFolders(): vscode.Uri[] {
	const { env } = process;
	const home = personHome(env);
	const paths = [join(cliHome(env), "agents"), join(home, ".claude", "agents"), join(home, PLUGINS_FOLDER)];
	return paths.map((path) => vscode.Uri.file(path));
}

function keepInStep(worker: WorkerProcess, onStale: () => void, onRestart: () => void): vscode.Disposable[] {
	const refolder = () => {
		onStale();
		void worker.notify(foldersChanged, knowledgeFolders());
	};
	return [
		watchFiles((uris) => void worker.notify(filesChanged, { uris }), ownFolders()),
		vscode.workspace.onDidChangeWorkspaceFolders(refolder),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-LD.folders")) refolder();
			if (OPTIONS.some((section) => change.affectsConfiguration(section))) onRestart();
		}),
	];
}

/** Calls with the `file:` URIs of files that were made, changed or deleted in the workspace, or in one of some folders. */
function watchFiles(
	onChange: (uris: readonly string[]) => void,
	folders: readonly vscode.Uri[],
): vscode.Disposable {
	const tell = ({ scheme, fsPath }: vscode.Uri) => {
		if (scheme === "file") onChange([uriOfPath(fsPath)]);
	};
	const patterns = ["**/*", ...folders.map((folder) => new vscode.RelativePattern(folder, "**/*"))];
	return vscode.Disposable.from(...patterns.map((pattern) => watched(pattern, tell)));
}
