import * as vscode from "vscode";
import type { PluginProblem, PluginRegistry } from "../../core/plugin/plugin.ts";
import { toDiagnostic } from "../knowledgeView/diagnostics.ts";
import type { LivePlugins } from "./livePlugins.ts";

/** Files of plugins, and of their configuration, in editors. */
const DOCUMENTS: vscode.DocumentSelector = [
	{ scheme: "file", pattern: "**/.copilot-ld/plugins/*/plugin.yaml" },
	{ scheme: "file", pattern: "**/.copilot-ld/plugins/config.yaml" },
];

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
	const lookFor = (document: vscode.TextDocument) => {
		if (vscode.languages.match(DOCUMENTS, document) > 0) look();
	};
	return vscode.Disposable.from(
		collection,
		live.onDidRead(show),
		live.onDidChange(look),
		vscode.workspace.onDidOpenTextDocument(lookFor),
	);
}

function diagnosticOf({ severity, message, line }: PluginProblem): vscode.Diagnostic {
	return toDiagnostic({ severity, message, lines: { start: line, end: line } });
}
