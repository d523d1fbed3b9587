import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { undefinedIfMissing } from "../../base/files/file.ts";
import { appendLines, readLines } from "../../base/files/jsonLines.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { parseJson } from "../../base/values.ts";

export interface SealedLine<Value> {
	/** `undefined` if the line is damaged. */
	readonly value: Value | undefined;
	/** Whether it has a checksum; lines that older versions wrote have none. */
	readonly isSealed: boolean;
	/** The offset in bytes at which it begins. */
	readonly start: number;
	readonly text: string;
}

export type SealedLines<Value> = ReturnType<typeof createSealedLines<Value>>;

interface Known<Value> {
	readonly inode: number;
	readonly size: number;
	readonly changedAt: number;
	/** How much of it is whole lines. */
	readonly bytes: number;
	readonly lines: readonly SealedLine<Value>[];
}

const NO_LINES = { bytes: 0, lines: [] };
/** Ends a line that a crash has torn, so that it is not taken for one that was damaged. */
const TORN = " (torn)";
const SEALED = /^(.*),"sum":"([\da-f]{16})"\}$/s;

/** A file that only grows, one JSON value with a checksum on a line; several processes may write to it at once. */
export function createSealedLines<Value>(
	path: string,
	/** Gives `undefined` for a line that is not understood. */
	parse: (value: unknown) => Value | undefined,
	mayLose: (cut: string) => boolean = () => true,
) {
	const lineOf = (text: string, start: number): SealedLine<Value> => {
		const [, body, sum] = SEALED.exec(text) ?? [];
		if (body === undefined) return { value: parse(parseJson(text)), isSealed: false, start, text };
		const isRight = sumOf(`${body}}`) === sum;
		return { value: isRight ? parse(parseJson(`${body}}`)) : undefined, isSealed: true, start, text };
	};
	/** None if the line is empty, or was torn before its writing was confirmed. */
	const readOne = (text: string, start: number): SealedLine<Value>[] => {
		if (text.trim() === "" || text === TORN) return [];
		if (!text.endsWith(TORN)) return [lineOf(text, start)];
		const torn = text.slice(0, -TORN.length);
		const line = lineOf(torn, start);
		if (line.value !== undefined || !mayLose(torn)) return [line];
		// A whole line that ends in another sign than its line end was not torn.
		return lineOf(torn.slice(0, -1), start).value === undefined ? [] : [line];
	};
	let known: Known<Value> | undefined;
	const reading = createMutex();
	const readOn = async (): Promise<readonly SealedLine<Value>[]> => {
		const now = await stat(path).catch(undefinedIfMissing);
		if (!now) {
			known = undefined;
			return [];
		}
		const { bytes, lines } = known && hasOnlyGrown(known, now) ? known : NO_LINES;
		const { lines: read, end, rest } = await readLines(path, bytes);
		const found = [...lines, ...read.flatMap(({ text, start }) => readOne(text, start))];
		// A damaged line may be repaired in place, so it must be read again.
		const isWhole = found.every(({ value }) => value !== undefined);
		const { ino: inode, size, mtimeMs: changedAt } = now;
		known = isWhole ? { inode, size, changedAt, bytes: end, lines: found } : undefined;
		return [...found, ...readOne(`${rest}${TORN}`, end)];
	};
	return {
		path,
		/** Resolves when the values are on the disk. */
		append: (values: readonly object[]) =>
			appendLines(path, values.map(sealed), { durable: true, tornMark: TORN }),
		/** Oldest first. Skips what `mayLose` of a line without an end: its writing was not confirmed, if a crash cut it off. */
		read: () => reading.run(readOn),
	};
}

/** The number that an editor shows for the line at an offset. */
export async function lineNumberAt(path: string, start: number): Promise<number> {
	return (await readFile(path)).subarray(0, start).toString("latin1").split("\n").length;
}

function hasOnlyGrown({ inode, size, changedAt }: Known<unknown>, now: Stats): boolean {
	if (inode !== now.ino) return false;
	return size < now.size || (size === now.size && changedAt === now.mtimeMs);
}

function sealed(value: object): object {
	return { ...value, sum: sumOf(JSON.stringify(value)) };
}

function sumOf(text: string): string {
	return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
