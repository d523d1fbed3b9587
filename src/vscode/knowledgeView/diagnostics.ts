import * as vscode from "vscode";
import type { Catalog } from "../../core/knowledge/catalog.ts";
import type { Problem } from "../../core/knowledge/document.ts";
import { diagnosticsEnabled } from "../settings.ts";

interface DiagnosticsDeps {
	readonly catalog: Catalog;
	readonly log: vscode.LogOutputChannel;
	/** Fires when the index changed. */
	readonly onDidChange: vscode.Event<void>;
}

/** Shows in the Problems view what could not be read, and where a person has asked for it what is wrong between documents. */
export function registerDiagnostics({ catalog, log, onDidChange }: DiagnosticsDeps): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld");
	let refresh = new AbortController();
	const update = async () => {
		refresh.abort();
		refresh = new AbortController();
		const { signal } = refresh;
		const found = await catalog.problems(diagnosticsEnabled() ? "links" : "files", signal);
		if (signal.aborted) return;
		collection.clear();
		for (const { uri, problems } of found) collection.set(vscode.Uri.parse(uri), problems.map(toDiagnostic));
	};
	const safely = () => void update().catch((thrown: unknown) => log.debug(`Problems: ${thrown}`));
	const watcher = vscode.workspace.createFileSystemWatcher("**/.copilot-ld/*");
	return vscode.Disposable.from(
		collection,
		watcher,
		watcher.onDidCreate(safely),
		watcher.onDidChange(safely),
		watcher.onDidDelete(safely),
		onDidChange(safely),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-ld.diagnostics")) safely();
		}),
		{ dispose: () => refresh.abort() },
	);
}

export function toDiagnostic({ severity, message, lines }: Problem): vscode.Diagnostic {
	const range = new vscode.Range(lines.start - 1, 0, lines.start - 1, Number.MAX_SAFE_INTEGER);
	const level = severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(range, message, level);
	diagnostic.source = "Copilot-LD";
	return diagnostic;
}
