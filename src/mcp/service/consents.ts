import { join, resolve } from "node:path";
import { createPluginConsents } from "../../permissions/records/pluginConsents.ts";
import type { AgreedPlugin, WorkerOptions } from "../../protocol/worker.ts";

interface Consenting {
	readonly options: WorkerOptions;
	readonly permissions: string | undefined;
	readonly agreed: readonly AgreedPlugin[] | undefined;
}

/** The folder of the rules of permission, next to the index if none is named. */
export function permissionsFolder(permissions: string | undefined, options: WorkerOptions): string {
	return permissions ? resolve(permissions) : join(options.dataFolder, "permissions");
}

/** Consents to plugins that were given in VS Code, or by the command line. */
export function consentsOf({ agreed, permissions, options }: Consenting) {
	const workspaceUri = () => options.folders[0]?.uri ?? "";
	const folder = permissionsFolder(permissions, options);
	return createPluginConsents({ folder, workspaceUri, ...(agreed && { agreed }) });
}
