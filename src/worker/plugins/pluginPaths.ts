import { readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../../base/files/paths.ts";
import { PLUGINS_FOLDER, type PluginLevel } from "../../core/plugin/plugin.ts";
import { realPathOf } from "../files/discover.ts";

const MAX_PLUGINS = 500;

export type PluginPlace = Awaited<ReturnType<typeof placeIn>>;

/** The places of some folders, then the user's. The first plugin of a name counts. */
export async function pluginPlaces(folders: readonly string[], home: string): Promise<PluginPlace[]> {
	return Promise.all([...folders.map((folder) => placeIn(folder, "workspace")), placeIn(home, "user")]);
}

async function placeIn(base: string, level: PluginLevel) {
	const folder = join(base, PLUGINS_FOLDER);
	const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
	const names = found
		.filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
		.map(({ name }) => name)
		.sort();
	const root = realPathOf(base) ?? base;
	return {
		level,
		/** Absolute. */
		folder,
		/** Names of the folders in it, in the order of the alphabet. */
		names: names.slice(0, MAX_PLUGINS),
		isCut: names.length > MAX_PLUGINS,
		// Links from the user's own home are the user's choice.
		/** Whether a path is really inside: a link of a repository may lead anywhere. */
		holds: (path: string) => level === "user" || isBelow(realPathOf(path) ?? path, root),
	};
}

const MAX_WITHIN = 30;

export function foldersIn(folder: string): string[] {
	try {
		const found = readdirSync(folder, { withFileTypes: true });
		return found
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => name)
			.sort()
			.slice(0, MAX_WITHIN);
	} catch {
		return [];
	}
}
