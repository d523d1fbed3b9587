import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isFolder, isGone } from "../base/files/file.ts";
import type { HomePlace } from "./places.ts";

/** Maximum size of a file in bytes. Files written for agents are smaller. */
export const MAX_BYTES = 256 * 1024;

/** Maximum number of files. Usual repositories have fewer. */
export const MAX_FILES = 1000;

/** Maximum number of entries per spot, because a link may lead to a huge folder. */
const MAX_ENTRIES = 5000;

export interface Spot {
	readonly base: string;
	readonly place: HomePlace;
}

export interface FoundPath extends Spot {
	readonly path: string;
	readonly real: string;
}

/** Finds the files at the given spots and follows links. Skips unreadable folders. */
export async function pathsAt(spots: readonly Spot[]) {
	const trees = await Promise.all(spots.map(({ base, place }) => treeAt(join(base, place.path), place)));
	const all = spots.flatMap((spot, index) => (trees[index]?.files ?? []).map((path) => ({ ...spot, path })));
	const reals = await Promise.all(all.map(({ path }) => realpath(path).catch(() => path)));
	return {
		paths: all.map((found, index) => ({ ...found, real: reals[index] ?? found.path })),
		isCut: trees.some(({ isCut }) => isCut),
	};
}

interface Tree {
	readonly files: readonly string[];
	readonly isCut: boolean;
}

async function treeAt(path: string, { ending, kind }: Spot["place"]): Promise<Tree> {
	if (ending === undefined) return { files: (await exists(path)) ? [path] : [], isCut: false };
	const { files, isCut } = await below(path);
	// A hook may run any file in its folder.
	const isWanted = (file: string) => kind === "hooks" || file.toLowerCase().endsWith(ending);
	return { files: files.filter(isWanted), isCut };
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		(thrown) => !isGone(thrown),
	);
}

/** Lists all files below a folder. Visits each folder once, even if several links lead to it. */
async function below(top: string): Promise<Tree> {
	const files: string[] = [];
	const visited = new Set<string>();
	const folders = [top];
	let left = MAX_ENTRIES;
	for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
		const at = folder;
		const real = await realpath(at).catch(() => at);
		if (visited.has(real)) continue;
		visited.add(real);
		const names = (await readdir(at).catch(() => [])).sort();
		const paths = names.slice(0, left).map((name) => join(at, name));
		left -= names.length + 1;
		const areFolders = await Promise.all(paths.map(isFolder));
		for (const [index, path] of paths.entries()) (areFolders[index] ? folders : files).push(path);
		if (left < 0) return { files, isCut: true };
	}
	return { files, isCut: false };
}
