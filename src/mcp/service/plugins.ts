import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createCallsAtWork } from "../../base/jobs/callsAtWork.ts";
import { follow } from "../../base/jobs/follow.ts";
import { workPlaceOf } from "../../base/program/runProgram.ts";
import {
	PLUGINS_FOLDER,
	type PluginCommand,
	type PluginDefinition,
	type PluginFiles,
	type PluginRegistry,
} from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { createPluginConsents } from "../../permissions/records/pluginConsents.ts";
import { createResources, createStartResource } from "../../plugins/resources/resources.ts";
import { requireAgreed } from "../../plugins/share/requireAgreed.ts";
import type { McpRun } from "../arguments/mcpRun.ts";

export function permissionsFolder({ args: { permissions }, options }: McpRun): string {
	return permissions ? resolve(permissions) : join(options.dataFolder, "permissions");
}

export function consentsOf(run: McpRun) {
	const { agreed = [] } = run.args;
	return createPluginConsents({ folder: permissionsFolder(run), workspaceUri: () => run.workspace, agreed });
}

/** Opens the plugins. Does not start the worker if there are none. */
export function openPlugins(run: McpRun, files: PluginFiles, tellChange: () => Promise<void>) {
	const { paths } = run;
	const consents = consentsOf(run);
	const places = [...paths, personHome(process.env)];
	const areThere = () => places.some((place) => existsSync(join(place, PLUGINS_FOLDER)));
	// Ignore clients that have disconnected or not connected yet.
	const onChange = () => void tellChange().catch(() => undefined);
	const followed = follow(files, { onChange });
	const placeOf = ({ source }: PluginDefinition) => workPlaceOf(source.uri, paths);
	const resources = createResources(createStartResource(placeOf));
	return {
		registry: async (signal: AbortSignal) => {
			const found = areThere() ? await followed.registry(signal) : NONE;
			await resources.keep(found.plugins);
			return found;
		},
		resources,
		forget: followed.forget,
		// The user who starts this program chooses folders, but does not thereby agree to run their programs.
		requireRun: (plugin: PluginDefinition, command: PluginCommand) =>
			requireAgreed({ ...consents, followed }, plugin, command),
		consentStateOf: consents.consentStateOf,
		placeOf,
		calls: createCallsAtWork(),
		close: () => {
			followed.close();
			void resources.close();
		},
	};
}

/** A constant object, so that callers detect no change. */
const NONE: PluginRegistry = { plugins: [], problems: [] };
