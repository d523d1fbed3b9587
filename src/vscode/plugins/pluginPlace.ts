import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { PluginFiles } from "../../core/plugin/plugin.ts";
import { followPlugins } from "../../plugins/run/followPlugins.ts";

/** The plugins of the window, and whether they may run in it. */
export function createPluginPlace(files: PluginFiles) {
	const { registry, close } = followPlugins(files);
	return {
		registry,
		requireRun: () => {
			if (!vscode.workspace.isTrusted)
				throw new Failure(
					"UNTRUSTED",
					"Plugins are not run in a folder that is not trusted: its files would say what they do. Trust the folder first.",
				);
		},
		dispose: close,
	};
}
