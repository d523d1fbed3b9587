import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** The `file:` URI of an absolute path, in one spelling: Windows names a drive by either case, and VS Code by the lower one. */
export function uriOfPath(path: string, windows = process.platform === "win32"): string {
	const { href } = pathToFileURL(windows ? withoutLongMark(path) : path, { windows });
	return windows ? href.replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase()) : href;
}

/** On request Windows returns long paths as `\\?\C:\notes` and `\\?\UNC\server\share`. */
function withoutLongMark(path: string): string {
	return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}

/** A path beside a file as a reference: resolved, it is spelled like the URI of that path. */
export function referenceOf(path: string): string {
	return `./${path.replace(/[%?#\\\n\r\t]/g, encodeURIComponent)}`;
}

/** Whether a path is a folder or inside it, by name: pass real paths if links matter. Nothing contains a relative path. */
export function isInside(path: string, folder: string): boolean {
	if (!isAbsolute(path) || !isAbsolute(folder)) return false;
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The same without the folder itself. */
export function isBelow(path: string, folder: string): boolean {
	return isInside(path, folder) && relative(folder, path) !== "";
}
