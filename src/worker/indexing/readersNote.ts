import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfGone } from "../../base/files/file.ts";
import { READERS_VERSION } from "../../knowledge/readersVersion.ts";

/** A note beside the index of which readers have read all of it. */
export type ReadersNote = ReturnType<typeof createReadersNote>;

export function createReadersNote(dataFolder: string, version: number = READERS_VERSION) {
	const path = join(dataFolder, "readers.version");
	return {
		isCurrent: async () => (await readFile(path, "utf8").catch(undefinedIfGone)) === String(version),
		write: async () => {
			await mkdir(dataFolder, { recursive: true });
			await writeFile(path, String(version));
		},
	};
}
