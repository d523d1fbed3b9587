import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workPlaceOf } from "../../base/program/workPlace.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { PLUGINS_FOLDER, type PluginDefinition, type PluginFiles } from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { createCallsAtWork } from "../../plugins/run/callsAtWork.ts";
import { followPlugins } from "../../plugins/run/followPlugins.ts";

/** The plugins of this program, without starting the worker where there are none. */
export function openPlugins(folders: readonly Folder[], files: PluginFiles, tellChange: () => Promise<void>) {
	const paths = folders.map(({ uri }) => fileURLToPath(uri));
	const places = [...paths, personHome(process.env)];
	const areThere = () => places.some((place) => existsSync(join(place, PLUGINS_FOLDER)));
	// A client that has gone, or has not come yet, need not know.
	const onChange = () => void tellChange().catch(() => undefined);
	const followed = followPlugins(files, { onChange });
	return {
		registry: async (signal: AbortSignal) =>
			areThere() ? followed.registry(signal) : { plugins: [], problems: [] },
		// Whoever started this program said which folders it is for.
		requireRun: () => undefined,
		placeOf: ({ source }: PluginDefinition) => workPlaceOf(source.uri, paths),
		calls: createCallsAtWork(),
		close: followed.close,
	};
}
