import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below a folder; 0 if it is missing. */
export async function folderSize(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const files = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
	// A file that has just been deleted counts nothing.
	const sizes = await Promise.all(
		files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}
