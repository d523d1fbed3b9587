import * as vscode from "vscode";
import { registerPluginDiagnostics } from "./pluginDiagnostics.ts";
import { registerPluginsView } from "./pluginsView.ts";

/** The view of plugins, and what is wrong with their files. */
export function registerPlugins(
	deps: Parameters<typeof registerPluginsView>[0] & { readonly log: vscode.LogOutputChannel },
): vscode.Disposable {
	return vscode.Disposable.from(registerPluginsView(deps), registerPluginDiagnostics(deps.live, deps.log));
}
