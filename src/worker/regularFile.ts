import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** What is not a regular file, or has grown too large, since it was found. */
export class UnreadableFileError extends Error {}

/** Opens neither what a link leads to nor what would block. Windows knows neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file as it is now. Its date is from before the reading, so that a change meanwhile is noticed later. */
export async function readRegularFile(
	path: string,
	maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly modifiedMs: number }> {
	await using file = await open(path, FLAGS);
	const stats = await file.stat();
	if (!stats.isFile()) throw new UnreadableFileError("It is not a regular file.");
	if (stats.size > maxBytes) throw new UnreadableFileError(`It is larger than ${maxBytes / 1_000_000} MB.`);
	return { bytes: await readUpTo(file, stats.size), modifiedMs: stats.mtimeMs };
}

/** A file that grows is read no further; of one that shrinks there is what is left. */
async function readUpTo(file: FileHandle, size: number): Promise<Uint8Array> {
	const bytes = new Uint8Array(size);
	let filled = 0;
	while (filled < size) {
		const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}
