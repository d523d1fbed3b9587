import { isAbsolute, relative, sep } from "node:path";

/**
 * Whether a path is a folder or inside it, by their names alone: pass real paths where a link could lead out. Steps up
 * (`..`) are resolved. A relative path is inside nothing.
 */
export function isInside(path: string, folder: string): boolean {
	if (!isAbsolute(path) || !isAbsolute(folder)) return false;
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The same without the folder itself. */
export function isBelow(path: string, folder: string): boolean {
	return isInside(path, folder) && relative(folder, path) !== "";
}
