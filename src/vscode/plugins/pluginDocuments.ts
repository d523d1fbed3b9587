import type * as vscode from "vscode";

/** Files of plugins in editors. */
export const PLUGIN_FILES: vscode.DocumentFilter = {
	scheme: "file",
	pattern: "**/.copilot-ld/plugins/*/plugin.yaml",
};

/** What folders of plugins say of them, in editors. */
export const CONFIG_FILES: vscode.DocumentFilter = {
	scheme: "file",
	pattern: "**/.copilot-ld/plugins/config.yaml",
};
