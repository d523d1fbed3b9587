import { join, resolve } from "node:path";
import { createPluginConsents } from "../../permissions/records/pluginConsents.ts";
import type { McpRun } from "../arguments/mcpRun.ts";

/** The folder of the rules of permission, next to the index if none is named. */
export function permissionsFolder({ args: { permissions }, options }: McpRun): string {
	return permissions ? resolve(permissions) : join(options.dataFolder, "permissions");
}

/** Consents to plugins that were given in VS Code, or by the command line. */
export function consentsOf(run: McpRun) {
	const { agreed = [] } = run.args;
	return createPluginConsents({ folder: permissionsFolder(run), workspaceUri: () => run.workspace, agreed });
}
