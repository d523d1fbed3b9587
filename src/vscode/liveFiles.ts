import * as vscode from "vscode";
import { follow } from "../base/jobs/follow.ts";

/** What some files describe, as they are now. The first look starts the worker, and the watch for changes. */
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
		/** Has the next look read the files, and what is shown looked at again. */
		refresh: () => {
			followed.forget();
			onChange();
		},
		onChange,
		/** Fires when what was looked at is old. */
		onDidChange: changed.event,
		/** Fires with what every look finds, but for one that a later look has overtaken. */
		onDidRead: found.event,
		dispose: () => {
			followed.close();
			vscode.Disposable.from(changed, found).dispose();
		},
	};
}

interface WatchedFiles<Found> {
	/** `agents`, for the log and for the collection of problems. */
	readonly name: string;
	readonly files: vscode.DocumentSelector;
	show(problems: vscode.DiagnosticCollection, found: Found): void;
	readonly log: { debug(message: string): void };
	readonly onDidChangeIndex: vscode.Event<void>;
}

/** Shows what is wrong with files, from when one of them is opened, or what they describe is looked at. */
export function showProblemsOf<Found>(
	live: ReturnType<typeof createLiveFiles<Found>>,
	{ name, files, show, log, onDidChangeIndex }: WatchedFiles<Found>,
): vscode.Disposable {
	const problems = vscode.languages.createDiagnosticCollection(`copilot-ld.${name}`);
	const look = () => {
		live.registry(new AbortController().signal).catch((thrown) => log.debug(`Files of ${name}: ${thrown}`));
	};
	// The last result may not include the file, and the file watcher may have missed that it was created.
	const lookFor = (document: vscode.TextDocument) => {
		if (vscode.languages.match(files, document) > 0) live.refresh();
	};
	// The first change of the index comes with the first request to the worker: a look before would start it.
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
		// What is not dirty was read from the disk again.
		vscode.workspace.onDidChangeTextDocument(({ document }) => document.isDirty || lookFor(document)),
	);
}
