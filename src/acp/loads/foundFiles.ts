import { readFile, stat } from "node:fs/promises";
import { relative } from "node:path";
import { isInside } from "../../base/files/paths.ts";
import { type Phrase, phrase } from "../../core/phrase.ts";
import type { LoadKind } from "../../loads/places.ts";
import { type FoundPath, MAX_BYTES, MAX_FILES, pathsAt, type Spot } from "../../loads/walk.ts";

export interface FoundFile {
	readonly kind: LoadKind;
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
	const { paths, isCut } = await pathsAt(spots);
	const keys = paths.map(({ place, real }) => `${place.kind} ${real}`);
	const once = paths.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
	const files = await Promise.all(once.slice(0, MAX_FILES).map((found) => readFound(found, shownFrom)));
	return { files, isCut: isCut || once.length > MAX_FILES };
}

async function readFound({ path, real, place, base }: FoundPath, shownFrom: string): Promise<FoundFile> {
	const isBeside = place.kind === "hooks" && !path.toLowerCase().endsWith(place.ending ?? "");
	const name = isInside(path, shownFrom) ? relative(shownFrom, path).replaceAll("\\", "/") : path;
	const found = { kind: place.kind, name, path, real, base, isBeside };
	try {
		const stats = await stat(path);
		if (!stats.isFile()) return { ...found, problem: phrase("is not a file") };
		if (stats.size > MAX_BYTES)
			return {
				...found,
				problem: phrase("has {0} bytes, changed {1}", `${stats.size}`, stats.mtime.toISOString()),
			};
		return { ...found, content: await readFile(path, "utf8") };
	} catch (error) {
		return { ...found, problem: phrase("cannot be read: {0}", `${(error as NodeJS.ErrnoException).code}`) };
	}
}
