import * as vscode from "vscode";
import type { PluginProblem, PluginRegistry } from "../../core/plugin/plugin.ts";
import { toDiagnostic } from "../knowledgeView/diagnostics.ts";
import type { LivePlugins } from "./livePlugins.ts";
import { CONFIG_FILES, PLUGIN_FILES } from "./pluginDocuments.ts";

/** Shows what is wrong with files of plugins, from when one of them is opened or the plugins are looked at. */
export function registerPluginDiagnostics(
	live: LivePlugins,
	log: vscode.LogOutputChannel,
): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld.plugins");
	const show = ({ problems }: PluginRegistry) => {
		collection.clear();
		for (const [uri, found] of Map.groupBy(problems, (problem) => problem.uri))
			collection.set(vscode.Uri.parse(uri), found.map(diagnosticOf));
	};
	const look = () => {
		live.registry(new AbortController().signal).catch((thrown: unknown) => log.debug(`Plugins: ${thrown}`));
	};
	// What was read a moment ago may not have it, and whoever watches the files may have missed that it was made.
	const lookFor = (document: vscode.TextDocument) => {
		if (vscode.languages.match([PLUGIN_FILES, CONFIG_FILES], document) > 0) live.refresh();
	};
	return vscode.Disposable.from(
		collection,
		live.onDidRead(show),
		live.onDidChange(look),
		vscode.workspace.onDidOpenTextDocument(lookFor),
		vscode.workspace.onDidSaveTextDocument(lookFor),
		// What is not dirty was read from the disk again.
		vscode.workspace.onDidChangeTextDocument(({ document }) => document.isDirty || lookFor(document)),
	);
}

function diagnosticOf({ severity, message, line }: PluginProblem): vscode.Diagnostic {
	return toDiagnostic({ severity, message, lines: { start: line, end: line } });
}
