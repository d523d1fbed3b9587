import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { undefinedIfMissing } from "../../base/files/file.ts";
import { appendLines, readLines } from "../../base/files/jsonLines.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { parseJson } from "../../base/values.ts";

export interface SealedLine<Value> {
	/** `undefined` if the line is damaged. */
	readonly value: Value | undefined;
	/** Whether the line has a checksum; older versions wrote lines without checksums. */
	readonly isSealed: boolean;
	/** Offset of the line in bytes. */
	readonly start: number;
	readonly text: string;
}

export type SealedLines<Value> = ReturnType<typeof createSealedLines<Value>>;

interface Known<Value> {
	readonly stats: Stats;
	readonly bytes: number;
	readonly lines: readonly SealedLine<Value>[];
}

const NO_LINES = { bytes: 0, lines: [] };
/** Marks a line torn by a crash, to distinguish it from a damaged line. */
const TORN = " (torn)";
const SEALED = /^(.*),"sum":"([\da-f]{16})"\}$/s;

/** Append-only file for several processes at once. Each line contains a JSON value and a checksum. */
export function createSealedLines<Value>(
	path: string,
	/** Returns `undefined` for an unknown kind of line. */
	parse: (value: unknown) => Value | undefined,
	mayLose: (cut: string) => boolean = () => true,
) {
	const lineOf = (text: string, start: number): SealedLine<Value> => {
		const [, body, sum] = SEALED.exec(text) ?? [];
		if (body === undefined) return { value: parse(parseJson(text)), isSealed: false, start, text };
		const isRight = sumOf(`${body}}`) === sum;
		return { value: isRight ? parse(parseJson(`${body}}`)) : undefined, isSealed: true, start, text };
	};
	/** Returns nothing for a blank line, and for a line that was torn before its write was confirmed. */
	const readOne = (text: string, start: number): SealedLine<Value>[] => {
		if (text.trim() === "" || text === TORN) return [];
		if (!text.endsWith(TORN)) return [lineOf(text, start)];
		const torn = text.slice(0, -TORN.length);
		const line = lineOf(torn, start);
		if (line.value !== undefined || !mayLose(torn)) return [line];
		// If the line is complete without its last character, only the line end is damaged, so the line is not torn.
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
		const { bytes, lines } = known && hasOnlyGrown(known.stats, now) ? known : NO_LINES;
		const { lines: read, end, rest } = await readLines(path, bytes);
		const found = [...lines, ...read.flatMap(({ text, start }) => readOne(text, start))];
		// A damaged line may be repaired in place, so the file must be read again.
		const isWhole = found.every(({ value }) => value !== undefined);
		known = isWhole ? { stats: now, bytes: end, lines: found } : undefined;
		return [...found, ...readOne(`${rest}${TORN}`, end)];
	};
	return {
		path,
		append: (values: readonly object[]) =>
			appendLines(
				path,
				values.map((value) => ({ ...value, sum: sumOf(JSON.stringify(value)) })),
				{ durable: true, tornMark: TORN },
			),
		/**
		 * Returns the oldest line first. Skips a torn line, whose write was not confirmed, if `mayLose` allows this.
		 */
		read: () => reading.run(readOn),
	};
}

function hasOnlyGrown(before: Stats, now: Stats): boolean {
	if (before.ino !== now.ino) return false;
	return before.size < now.size || (before.size === now.size && before.mtimeMs === now.mtimeMs);
}

function sumOf(text: string): string {
	return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
