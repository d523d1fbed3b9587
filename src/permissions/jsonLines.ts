import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that only grows, one JSON value on a line; several processes may write to it at once. */
export interface JsonLines {
	/** Resolves when the value is on the disk. */
	append(value: object): Promise<void>;
	/** All that can be read, oldest first. What a crash left half-written is passed over. */
	read(): Promise<readonly unknown[]>;
}

const LINE_END = 10;

export function createJsonLines(path: string): JsonLines {
	let state: { readonly inode: number; readonly bytes: number; readonly values: unknown[] } | undefined;
	let last: Promise<unknown> = Promise.resolve();
	const readOn = async () => {
		const now = await stat(path).catch(undefinedWhereMissing);
		if (!now) {
			state = undefined;
			return [];
		}
		const known = state?.inode === now.ino && state.bytes <= now.size ? state : undefined;
		const { bytes, values } = known ?? { bytes: 0, values: [] };
		if (known && bytes === now.size) return values;
		const whole = await readWholeLines(path, bytes, now.size);
		state = { inode: now.ino, bytes: bytes + whole.length, values: [...values, ...valuesIn(whole)] };
		return state.values;
	};
	return {
		append: async (value) => {
			await mkdir(dirname(path), { recursive: true });
			const file = await open(path, "a", 0o600);
			try {
				// The first line end closes a line that a crash cut short; a write of this size is one piece.
				await file.appendFile(`\n${JSON.stringify(value)}\n`);
				await file.datasync();
			} finally {
				await file.close();
			}
		},
		read: () => {
			const reading = last.then(readOn);
			last = reading.catch(() => undefined);
			return reading;
		},
	};
}

/** Without the last line where its end is not written yet. */
async function readWholeLines(path: string, from: number, to: number): Promise<Buffer> {
	const file = await open(path, "r");
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
		return buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(LINE_END) + 1);
	} finally {
		await file.close();
	}
}

function valuesIn(bytes: Buffer): unknown[] {
	return bytes
		.toString("utf8")
		.split("\n")
		.flatMap((line) => {
			try {
				return line.trim() === "" ? [] : [JSON.parse(line) as unknown];
			} catch {
				return [];
			}
		});
}

export function undefinedWhereMissing(error: NodeJS.ErrnoException): undefined {
	if (error.code !== "ENOENT") throw error;
	return undefined;
}
