import { stat } from "node:fs/promises";
import { pathWithin } from "./pathWithin.ts";

/** Rejects if there is no folder at a path below another, with links followed. */
export async function requireFolderWithin(folder: string, path: string): Promise<void> {
	const real = await pathWithin(folder, path);
	if (!(await stat(real)).isDirectory()) throw new TypeError(`${path} is not a folder.`);
}
