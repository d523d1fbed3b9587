import * as vscode from "vscode";
import type { PluginConsents } from "../../core/plugin/consent.ts";
import type { PluginFiles } from "../../core/plugin/plugin.ts";
import type { MarkdownViewer } from "../virtualDocuments.ts";
import { watchChangedPlugins } from "./changedPlugins.ts";
import { createLivePlugins, type LivePlugins } from "./livePlugins.ts";
import { registerPluginDiagnostics } from "./pluginDiagnostics.ts";
import { registerPluginHelp } from "./pluginHelp.ts";
import { registerPluginsView } from "./pluginsView.ts";

interface PluginParts {
	readonly context: Pick<vscode.ExtensionContext, "extensionUri">;
	readonly documents: MarkdownViewer;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: { readonly pluginConsents: PluginConsents };
}

/** The plugins of the window, their view, and what is wrong with their files. */
export function registerPlugins(
	files: PluginFiles,
	{ context, documents, log, permissions }: PluginParts,
): LivePlugins {
	const live = createLivePlugins(files, permissions.pluginConsents);
	const shown = [
		registerPluginsView({ live, documents }),
		registerPluginDiagnostics(live, log),
		registerPluginHelp(vscode.Uri.joinPath(context.extensionUri, "media/schemas")),
		watchChangedPlugins(live, log),
	];
	return { ...live, dispose: () => vscode.Disposable.from(...shown, live).dispose() };
}
