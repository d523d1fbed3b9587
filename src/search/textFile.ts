import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** The bytes of passages that still lie in a file. */
export interface TextFile {
	/** At once; fewer bytes where the file cannot be read. */
	readNow(start: number, length: number): Buffer;
	/** Fills this memory; whether all of it could be read. */
	fill(bytes: Buffer, start: number): Promise<boolean>;
	close(): Promise<void>;
}

/** From a place in the file on. The file stays open, so that another one in its place changes nothing here. */
export function createTextFile(file: FileHandle, first: number): TextFile {
	return {
		readNow: (start, length) => {
			const bytes = Buffer.allocUnsafe(length);
			try {
				return bytes.subarray(0, readSync(file.fd, bytes, 0, length, first + start));
			} catch {
				return bytes.subarray(0, 0);
			}
		},
		fill: async (bytes, start) => {
			try {
				const { bytesRead } = await file.read(bytes, 0, bytes.length, first + start);
				return bytesRead === bytes.length;
			} catch {
				return false;
			}
		},
		close: () => file.close(),
	};
}
