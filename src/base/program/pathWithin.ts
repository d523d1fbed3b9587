import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf } from "../files/fileError.ts";

/**
 * Where a path below a folder is on the disk, with links followed; of what is not there, where it would be made.
 * Rejects where that is outside.
 */
export async function pathWithin(folder: string, path: string): Promise<string> {
	const root = await realpath(folder);
	const real = await realOf(resolve(root, path));
	const way = relative(root, real);
	if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
		throw new TypeError(`${path} is outside.`);
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
