import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "../files/inside.ts";

/** Absolute paths of folders. */
export interface WorkPlace {
	readonly folder: string;
	/** That the file is in. */
	readonly own: string;
}

/** Where a file of a folder, or of the person, works: in the folder that it is in, else in the first one. */
export function workPlaceOf(uri: string, folders: readonly string[]): WorkPlace | undefined {
	const own = dirname(fileURLToPath(uri));
	const folder = folders.find((one) => isInside(own, one)) ?? folders[0];
	return folder === undefined ? undefined : { folder, own };
}
