import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { LoadKind, Place } from "./places.ts";

/** A file that the CLI would load. */
export interface FoundFile {
	readonly kind: LoadKind;
	/** As it is shown: below the folder that was asked about by its relative path, else whole. */
	readonly name: string;
	readonly path: string;
	/** That its place belongs to, in which its commands run. */
	readonly base: string;
	/** `undefined` where it cannot be read, or is no file, or too large; then `problem` says so. */
	readonly content?: string;
	readonly problem?: string;
	/** Stands in a folder of hooks, but is not one. */
	readonly isBeside?: boolean;
}

/** No repository has so many of them for people. */
const MAX_FILES = 1000;
const MAX_BYTES = 256 * 1024;

/** Of one place; a link may lead anywhere. */
const MAX_ENTRIES = 5000;

type Seen = Pick<Place, "path" | "ending" | "kind">;

/** A place below a folder. */
export interface Spot {
	readonly base: string;
	readonly place: Seen;
}

/** The files at some places below some folders; links are followed. Rejects for none of what it meets. */
export async function filesAt(
	spots: readonly Spot[],
	shownFrom: string,
): Promise<{ readonly files: readonly FoundFile[]; readonly isCut: boolean }> {
	const trees = await Promise.all(spots.map(({ base, place }) => treeAt(join(base, place.path), place)));
	const all = spots.flatMap((spot, index) => (trees[index]?.files ?? []).map((path) => ({ ...spot, path })));
	const reals = await Promise.all(all.map(({ path }) => realpath(path).catch(() => path)));
	const keys = all.map(({ place }, index) => `${place.kind} ${reals[index]}`);
	// Of a folder that is reached in two ways, it is the same file.
	const once = all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
	const files = await Promise.all(
		once.slice(0, MAX_FILES).map(({ path, ...spot }) => readFound(path, { ...spot, shownFrom })),
	);
	return { files, isCut: once.length > MAX_FILES || trees.some(({ isCut }) => isCut) };
}

interface Tree {
	readonly files: readonly string[];
	readonly isCut: boolean;
}

async function treeAt(path: string, { ending, kind }: Seen): Promise<Tree> {
	if (ending === undefined) return { files: (await exists(path)) ? [path] : [], isCut: false };
	const { files, isCut } = await below(path);
	// A hook may run what lies beside it.
	const isWanted = (file: string) => kind === "hooks" || file.toLowerCase().endsWith(ending);
	return { files: files.filter(isWanted), isCut };
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
	);
}

/** Each folder once, however many links lead to it. */
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
		const paths = (await readdir(at).catch(() => [])).sort().map((name) => join(at, name));
		left -= paths.length + 1;
		if (left < 0) return { files, isCut: true };
		const areFolders = await Promise.all(paths.map(isFolder));
		for (const [index, path] of paths.entries()) (areFolders[index] ? folders : files).push(path);
	}
	return { files, isCut: false };
}

async function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

async function readFound(
	path: string,
	{ place, base, shownFrom }: { readonly place: Seen; readonly base: string; readonly shownFrom: string },
): Promise<FoundFile> {
	const isBeside = place.kind === "hooks" && !path.toLowerCase().endsWith(place.ending ?? "");
	const found = { kind: place.kind, name: nameOf(path, shownFrom), path, base, isBeside };
	try {
		const stats = await stat(path);
		if (!stats.isFile()) return { ...found, problem: "is no file" };
		if (stats.size > MAX_BYTES)
			return { ...found, problem: `has ${stats.size} bytes, changed ${stats.mtime.toISOString()}` };
		return { ...found, content: await readFile(path, "utf8") };
	} catch (error) {
		return { ...found, problem: `cannot be read: ${(error as NodeJS.ErrnoException).code}` };
	}
}

function nameOf(path: string, shownFrom: string): string {
	const name = relative(shownFrom, path);
	return name.startsWith("..") || isAbsolute(name) ? path : name.replaceAll("\\", "/");
}
