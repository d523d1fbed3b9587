import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { codeOf, isFolder, isGone } from "../base/files/file.ts";
import { isInside } from "../base/files/paths.ts";
import { type Phrase, phrase } from "../core/phrase.ts";
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

export interface FoundFile {
	readonly kind: HomePlace["kind"];
	/** Path to show: relative if the file is in the examined folder, otherwise absolute. */
	readonly name: string;
	readonly path: string;
	readonly real: string;
	readonly base: string;
	/** `undefined` if the path is unreadable, not a file or too large; `problem` then says so. */
	readonly content?: string;
	readonly problem?: Phrase;
	/** Whether the file is in a folder of hooks but defines no hook. */
	readonly isBeside?: boolean;
}

/** Reads the files at the given spots, following links. Never rejects because a file is unreadable. */
export async function filesAt(spots: readonly Spot[], shownFrom: string) {
	const trees = await Promise.all(spots.map(pathsAt));
	const paths = trees.flatMap((tree) => tree.paths);
	const keys = paths.map(({ place, real }) => `${place.kind} ${real}`);
	const once = paths.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
	const files = await Promise.all(once.slice(0, MAX_FILES).map((found) => readFound(found, shownFrom)));
	return { files, isCut: trees.some(({ isCut }) => isCut) || once.length > MAX_FILES };
}

async function readFound({ path, real, place, base }: FoundPath, shownFrom: string): Promise<FoundFile> {
	const isBeside = place.kind === "hooks" && !path.toLowerCase().endsWith(place.ending ?? "");
	const name = isInside(path, shownFrom) ? relative(shownFrom, path).replaceAll("\\", "/") : path;
	const found = { kind: place.kind, name, path, real, base, isBeside };
	try {
		const stats = await stat(path);
		const { size, mtime } = stats;
		if (!stats.isFile()) return { ...found, problem: phrase("is not a file") };
		if (size <= MAX_BYTES) return { ...found, content: await readFile(path, "utf8") };
		return { ...found, problem: phrase("has {0} bytes, changed {1}", `${size}`, mtime.toISOString()) };
	} catch (error) {
		return { ...found, problem: phrase("cannot be read: {0}", codeOf(error)) };
	}
}

/** Finds the files at a spot and follows links. Skips unreadable folders. */
export async function pathsAt(spot: Spot) {
	const { files, isCut } = await treeAt(join(spot.base, spot.place.path), spot.place);
	const found = files.map(async (path): Promise<FoundPath> => {
		return { ...spot, path, real: await realpath(path).catch(() => path) };
	});
	return { paths: await Promise.all(found), isCut };
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
