import { isAbsolute, relative, sep } from "node:path";

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
