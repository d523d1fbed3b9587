import { fileURLToPath } from "node:url";
import type * as vscode from "vscode";
import { formatMcpArguments } from "../protocol/mcpArguments.ts";
import { knowledgeFolders } from "./folders.ts";
import { indexFolder } from "./indexFolder.ts";
import type { McpLaunch } from "./mcpConfiguration.ts";
import { permissionsFolder } from "./permissionsLink.ts";
import { excludedGlobs, graphEndpoint } from "./settings.ts";

/** How to start the MCP program on the folders and the index of this window. */
export function mcpLaunch(context: vscode.ExtensionContext): McpLaunch {
	return {
		program: context.asAbsolutePath("dist/mcp.cjs"),
		// All that decides about the files: two programs on one index must want the same ones.
		args: formatMcpArguments({
			workspaces: knowledgeFolders().map(({ uri }) => fileURLToPath(uri)),
			data: indexFolder(context),
			permissions: permissionsFolder(context),
			excludes: excludedGlobs(),
			graphEndpoint: graphEndpoint(),
			// VS Code gives its model the structure instead of the text with its citations, the Copilot CLI both.
			isTextOnly: true,
		}),
	};
}
