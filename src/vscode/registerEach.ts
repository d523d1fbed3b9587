import * as vscode from "vscode";
import { Failure } from "../base/failure.ts";
import { isCancellation } from "./cancellation.ts";
import { toldOf } from "./l10n.ts";

/** Registers commands by their ids. Shows and logs their failures; a canceled command ends silently. */
export function registerEach<Given extends unknown[]>(
	commands: Readonly<Record<string, (...given: Given) => unknown>>,
	log?: vscode.LogOutputChannel,
): vscode.Disposable {
	const runOf =
		(run: (...given: Given) => unknown) =>
		async (...given: unknown[]) => {
			try {
				return await run(...(given as Given));
			} catch (thrown) {
				// Not awaited: the command is over, even if the user leaves the message open.
				if (!isCancellation(thrown)) void showFailure(thrown, log);
				return undefined;
			}
		};
	const all = Object.entries(commands);
	return vscode.Disposable.from(...all.map(([id, run]) => vscode.commands.registerCommand(id, runOf(run))));
}

/** Throws a `Failure` with the given message in an untrusted workspace. */
export function requireTrust(words: string): void {
	if (!vscode.workspace.isTrusted) throw new Failure("UNTRUSTED", words);
}

export function watched(pattern: vscode.GlobPattern, onChange: (uri: vscode.Uri) => void): vscode.Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	const { onDidCreate, onDidChange, onDidDelete } = watcher;
	return vscode.Disposable.from(watcher, onDidCreate(onChange), onDidChange(onChange), onDidDelete(onChange));
}

export function setContext(name: string, value: unknown): void {
	void vscode.commands.executeCommand("setContext", `copilot-ld.${name}`, value);
}

async function showFailure(thrown: unknown, log: vscode.LogOutputChannel | undefined): Promise<void> {
	log?.error(thrown instanceof Error ? thrown : String(thrown));
	const showLog = vscode.l10n.t("Show Log");
	const buttons = log ? [showLog] : [];
	if ((await vscode.window.showErrorMessage(toldOf(thrown), ...buttons)) === showLog) log?.show();
}

const SCHEME = "copilot-ld";

export type VirtualDocuments = ReturnType<typeof registerVirtualDocuments>;
export type MarkdownViewer = Pick<VirtualDocuments, "show">;
export type TextViewer = Pick<VirtualDocuments, "open">;

export function registerVirtualDocuments() {
	const texts = new Map<string, string>();
	const changed = new vscode.EventEmitter<vscode.Uri>();
	const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
		onDidChange: changed.event,
		provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
	});
	const keep = (name: string, text: string) => {
		const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
		texts.set(uri.path, text);
		changed.fire(uri);
		return uri;
	};
	return {
		/** Stores a text under a name, replacing an earlier one; returns the URI to open it by. */
		keep,
		open: async (name: string, text: string, viewColumn = vscode.ViewColumn.Active) =>
			vscode.window.showTextDocument(keep(name, text), { preview: true, preserveFocus: true, viewColumn }),
		show: async (name: string, markdown: string) => {
			const uri = keep(name, markdown);
			await vscode.commands.executeCommand("markdown.showPreview", uri);
		},
		dispose: () => {
			registration.dispose();
			changed.dispose();
		},
	};
}
