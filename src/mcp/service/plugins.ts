import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workPlaceOf } from "../../base/program/workPlace.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { PluginConsents } from "../../core/plugin/consent.ts";
import {
	PLUGINS_FOLDER,
	type PluginCommand,
	type PluginDefinition,
	type PluginFiles,
} from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { createCallsAtWork } from "../../plugins/run/callsAtWork.ts";
import { followPlugins } from "../../plugins/run/followPlugins.ts";
import { requireAgreed } from "../../plugins/share/requireAgreed.ts";

interface PluginParts {
	readonly folders: readonly Folder[];
	/** As the person agreed in VS Code; a program without an editor asks nobody. */
	readonly consents: PluginConsents;
	tellChange(): Promise<void>;
}

/** The plugins of this program, without starting the worker where there are none. */
export function openPlugins(files: PluginFiles, { folders, consents, tellChange }: PluginParts) {
	const paths = folders.map(({ uri }) => fileURLToPath(uri));
	const places = [...paths, personHome(process.env)];
	const areThere = () => places.some((place) => existsSync(join(place, PLUGINS_FOLDER)));
	// A client that has gone, or has not come yet, need not know.
	const onChange = () => void tellChange().catch(() => undefined);
	const followed = followPlugins(files, { onChange });
	return {
		registry: async (signal: AbortSignal) =>
			areThere() ? followed.registry(signal) : { plugins: [], problems: [] },
		forget: followed.forget,
		// Whoever started this program said which folders it is for, but not what runs in them.
		requireRun: (plugin: PluginDefinition, command: PluginCommand) =>
			requireAgreed(consents, plugin, command),
		placeOf: ({ source }: PluginDefinition) => workPlaceOf(source.uri, paths),
		calls: createCallsAtWork(),
		close: followed.close,
	};
}
