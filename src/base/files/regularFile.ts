import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Opens neither what a link leads to nor what would block. Windows knows neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface FileContent {
	readonly bytes: Uint8Array;
	/** From before the reading, so that a change meanwhile is noticed later. */
	readonly modifiedMs: number;
}

/** Reads a file as it is now, in one go: for small files the turns of the event loop would take longer than the disk. */
export function readRegularFile(path: string, maxBytes: number): FileContent {
	const file = openSync(path, FLAGS);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw new Error("it is not a regular file");
		if (stats.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1_000_000} MB`);
		return { bytes: readUpTo(file, stats.size), modifiedMs: stats.mtimeMs };
	} finally {
		closeSync(file);
	}
}

/** A file that grows is read no further; of one that shrinks there is what is left. */
function readUpTo(file: number, size: number): Uint8Array {
	const bytes = new Uint8Array(size);
	let filled = 0;
	while (filled < size) {
		const count = readSync(file, bytes, filled, size - filled, filled);
		if (count === 0) break;
		filled += count;
	}
	return bytes.subarray(0, filled);
}
