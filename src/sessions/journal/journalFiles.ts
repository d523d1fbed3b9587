import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../base/files/fileError.ts";
import type { Reader } from "../../core/session/person.ts";
import { ownershipOf } from "./owner.ts";

interface JournalFile {
	readonly id: string;
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since 1970; of one in the trash, when it was deleted. */
	readonly writtenAt: number;
}

/** Absolute paths of the folders of journals and of those that were deleted, in the folder of sessions. */
export function journalFolders(home: string) {
	return { folder: join(home, "journals"), trash: join(home, "trash") };
}

/** All that are a person's, those that were deleted too. */
export async function allFiles(home: string, reader: Reader): Promise<JournalFile[]> {
	const places = Object.values(journalFolders(home));
	return (await Promise.all(places.map((place) => ownFiles(place, reader)))).flat();
}

/** Removes for good all that was last written by then, deleted or not. Resolves with the ids. */
export async function removeFiles(home: string, reader: Reader, writtenBy: number): Promise<string[]> {
	const gone = (await allFiles(home, reader)).filter(({ writtenAt }) => writtenAt <= writtenBy);
	for (const { path } of gone) await rm(path, { force: true });
	return [...new Set(gone.map(({ id }) => id))];
}

export async function ownFiles(folder: string, reader: Reader): Promise<JournalFile[]> {
	const found: JournalFile[] = [];
	for (const name of await readdir(folder).catch(() => [])) {
		const path = join(folder, name);
		if (!name.endsWith(".jsonl") || (await ownershipOf(path, reader)) !== "own") continue;
		// Another window may have removed or restored it meanwhile.
		const stats = await stat(path).catch((thrown) =>
			isMissing(thrown) ? undefined : Promise.reject(thrown),
		);
		if (stats)
			found.push({ id: name.slice(0, -".jsonl".length), path, size: stats.size, writtenAt: stats.mtimeMs });
	}
	return found;
}
