import * as vscode from "vscode";
import { follow } from "../base/jobs/follow.ts";

/** Reads what files describe, and follows changes. The first read starts the worker and the file watcher. */
export function createLiveFiles<Found>({ watch, registry: read }: Parameters<typeof follow<Found>>[0]) {
	const changed = new vscode.EventEmitter<void>();
	const found = new vscode.EventEmitter<Found>();
	let [looks, told] = [0, 0];
	const registry = async (signal: AbortSignal) => {
		const at = ++looks;
		const now = await read(signal);
		if (at > told) found.fire(now);
		told = Math.max(told, at);
		return now;
	};
	const onChange = () => changed.fire();
	const followed = follow({ watch, registry }, { onChange });
	return {
		...followed,
		refresh: () => {
			followed.forget();
			onChange();
		},
		onChange,
		onDidChange: changed.event,
		/** Fires with the result of each read, unless a later read has finished first. */
		onDidRead: found.event,
		dispose: () => {
			followed.close();
			vscode.Disposable.from(changed, found).dispose();
		},
	};
}

interface WatchedFiles<Found> {
	/** Name such as `agents`, for the log and the collection of problems. */
	readonly name: string;
	readonly files: vscode.DocumentSelector;
	show(problems: vscode.DiagnosticCollection, found: Found): void;
	readonly log: { debug(message: string): void };
	readonly onDidChangeIndex: vscode.Event<void>;
}

/** Shows problems of files, from the first time that a file is opened or the files are read. */
export function showProblemsOf<Found>(
	live: ReturnType<typeof createLiveFiles<Found>>,
	{ name, files, show, log, onDidChangeIndex }: WatchedFiles<Found>,
): vscode.Disposable {
	const problems = vscode.languages.createDiagnosticCollection(`copilot-ld.${name}`);
	const look = () => {
		live.registry().catch((thrown) => log.debug(`Files of ${name}: ${thrown}`));
	};
	// The last result may not include the file, and the file watcher may have missed the file's creation.
	const lookFor = (document: vscode.TextDocument) => {
		if (vscode.languages.match(files, document) > 0) live.refresh();
	};
	// The index first changes with the first request to the worker. An earlier read would start the worker.
	const first = onDidChangeIndex(() => {
		first.dispose();
		look();
	});
	return vscode.Disposable.from(
		problems,
		first,
		live.onDidRead((found) => show(problems, found)),
		live.onDidChange(look),
		vscode.workspace.onDidOpenTextDocument(lookFor),
		vscode.workspace.onDidSaveTextDocument(lookFor),
		// A document that is not dirty was reloaded from the disk.
		vscode.workspace.onDidChangeTextDocument(({ document }) => document.isDirty || lookFor(document)),
	);
}
