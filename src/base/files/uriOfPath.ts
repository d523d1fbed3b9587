import { pathToFileURL } from "node:url";

/** The `file:` URI of an absolute path, in one spelling: Windows names a drive by either case, and VS Code by the lower one. */
export function uriOfPath(path: string, windows = process.platform === "win32"): string {
	const { href } = pathToFileURL(windows ? withoutLongMark(path) : path, { windows });
	return windows ? href.replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase()) : href;
}

/** Windows writes long paths as `\\?\C:\notes` and `\\?\UNC\server\share` where programs ask it for them. */
function withoutLongMark(path: string): string {
	return path.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
}

/** A path beside a file as a reference: resolved, it is spelled like the URI of that path. */
export function referenceOf(path: string): string {
	return `./${path.replace(/[%?#\\\n\r\t]/g, encodeURIComponent)}`;
}
