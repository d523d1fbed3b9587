import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** `file:` URI of an absolute path. The drive letter becomes lower case, as in VS Code. */
export function uriOfPath(path: string, windows = process.platform === "win32"): string {
	const { href } = pathToFileURL(windows ? withoutLongMark(path) : path, { windows });
	return windows ? href.replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase()) : href;
}

/** Removes the prefix of long Windows paths, `\\?\C:\notes` and `\\?\UNC\server\share`. */
function withoutLongMark(path: string): string {
	return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}

/** Relative reference to a path. Resolves to the URI that `uriOfPath` gives for the absolute path. */
export function referenceOf(path: string): string {
	return `./${path.replace(/[%?#\\\n\r\t]/g, encodeURIComponent)}`;
}

/** Whether a path is the folder or inside the folder. Compares names: pass real paths. False for relative paths. */
export function isInside(path: string, folder: string): boolean {
	if (!isAbsolute(path) || !isAbsolute(folder)) return false;
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Like `isInside`, but false for the folder itself. */
export function isBelow(path: string, folder: string): boolean {
	return isInside(path, folder) && relative(folder, path) !== "";
}
