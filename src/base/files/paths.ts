import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** `file:` URI of an absolute path, normalized: Windows accepts both cases of a drive letter, VS Code uses lower case. */
export function uriOfPath(path: string, windows = process.platform === "win32"): string {
	const { href } = pathToFileURL(windows ? withoutLongMark(path) : path, { windows });
	return windows ? href.replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase()) : href;
}

/** Removes the prefix of long Windows paths, `\\?\C:\notes` and `\\?\UNC\server\share`. */
function withoutLongMark(path: string): string {
	return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}

/** Relative reference to a path beside a file; it resolves to the same URI as `uriOfPath`. */
export function referenceOf(path: string): string {
	return `./${path.replace(/[%?#\\\n\r\t]/g, encodeURIComponent)}`;
}

/** Whether a path is a folder or inside it, by name only: pass real paths if links matter. False for relative paths. */
export function isInside(path: string, folder: string): boolean {
	if (!isAbsolute(path) || !isAbsolute(folder)) return false;
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a path is inside a folder, but not the folder itself. */
export function isBelow(path: string, folder: string): boolean {
	return isInside(path, folder) && relative(folder, path) !== "";
}
