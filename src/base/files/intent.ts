import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isGone } from "./fileError.ts";

/**
 * A note on the disk that something was begun, so that it is ended also where its process dies.
 * @param path absolute path of the note
 */
export function createIntent(path: string) {
	return {
		/** When it was begun last, by the clock of the file system, in milliseconds since 1970; `undefined` if nothing is left to do. */
		begunAt: async () => {
			try {
				return (await stat(path)).mtimeMs;
			} catch (thrown) {
				if (isGone(thrown)) return undefined;
				throw thrown;
			}
		},
		begin: async () => {
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			// A name without bytes might keep the time of the one before.
			await writeFile(path, "begun\n", { mode: 0o600 });
		},
		end: () => rm(path, { force: true }),
	};
}
