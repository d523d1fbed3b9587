import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../files/fileError.ts";
import { isInside } from "../files/inside.ts";

/** Real path of a path below a folder, or where it would be created. Rejects if that is outside. */
export async function pathWithin(folder: string, path: string): Promise<string> {
	const root = await realpath(folder);
	const real = await realOf(resolve(root, path));
	if (!isInside(real, root)) throw new TypeError(`${path} is outside.`);
	return real;
}

async function realOf(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (thrown) {
		// A link to what is not there fails in the same way, and could lead anywhere once it is there.
		if (codeOf(thrown) !== "ENOENT" || dirname(path) === path || (await isLink(path))) throw thrown;
	}
	return join(await realOf(dirname(path)), basename(path));
}

async function isLink(path: string): Promise<boolean> {
	return lstat(path).then(
		(found) => found.isSymbolicLink(),
		() => false,
	);
}

/** Rejects if there is no folder at a path below another, with links followed. */
export async function requireFolderWithin(folder: string, path: string): Promise<void> {
	const real = await pathWithin(folder, path);
	if (!(await stat(real)).isDirectory()) throw new TypeError(`${path} is not a folder.`);
}
