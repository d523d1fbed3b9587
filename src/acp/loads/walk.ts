import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
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
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 12;

type Seen = Pick<Place, "path" | "ending" | "kind">;

/** The files at some places below some folders; links are followed. Rejects for none of what it meets. */
export async function filesAt(
	places: readonly Seen[],
	bases: readonly string[],
	shownFrom: string,
): Promise<{ readonly files: readonly FoundFile[]; readonly isCut: boolean }> {
	const spots = bases.flatMap((base) => places.map((place) => ({ base, place })));
	const paths = await Promise.all(spots.map(({ base, place }) => pathsAt(join(base, place.path), place)));
	const all = spots.flatMap((spot, index) => (paths[index] ?? []).map((path) => ({ ...spot, path })));
	const reals = await Promise.all(all.map(({ path }) => realpath(path).catch(() => path)));
	const keys = all.map(({ place }, index) => `${place.kind} ${reals[index]}`);
	// Of a folder that is reached in two ways, it is the same file.
	const once = all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
	const files = await Promise.all(
		once.slice(0, MAX_FILES).map(({ path, ...spot }) => readFound(path, { ...spot, shownFrom })),
	);
	return { files, isCut: once.length > MAX_FILES };
}

/** The folder and all above it, by the way it is named and by the way it really lies. */
export async function upwards(folder: string): Promise<string[]> {
	const real = await realpath(folder).catch(() => folder);
	return [...new Set([...ancestors(real), ...ancestors(resolve(folder))])];
}

function ancestors(folder: string): string[] {
	const above = dirname(folder);
	return above === folder ? [folder] : [folder, ...ancestors(above)];
}

async function pathsAt(path: string, { ending, kind }: Seen): Promise<string[]> {
	if (ending === undefined) return (await exists(path)) ? [path] : [];
	const all = await below(path, 0);
	// A hook may run what lies beside it.
	return kind === "hooks" ? all : all.filter((file) => file.toLowerCase().endsWith(ending));
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
	);
}

async function below(folder: string, depth: number): Promise<string[]> {
	if (depth > MAX_DEPTH) return [];
	const names = (await readdir(folder).catch(() => [])).sort().slice(0, MAX_FILES + 1);
	const found: string[] = [];
	for (const name of names) {
		const path = join(folder, name);
		const isFolder = await stat(path).then(
			(stats) => stats.isDirectory(),
			() => false,
		);
		if (isFolder) found.push(...(await below(path, depth + 1)));
		else found.push(path);
		if (found.length > MAX_FILES) break;
	}
	return found;
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
