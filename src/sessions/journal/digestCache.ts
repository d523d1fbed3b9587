import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendLines, isObject, parseLine, readLines } from "../../base/jsonLines.ts";
import type { Digest } from "./digest.ts";

/** Another number means other fields: lines of another one are not read. */
const VERSION = 3;
/** Lines beyond twice the sessions, before the file is written anew. */
const SLACK = 1000;

/** A journal as it was looked at. */
export interface KnownFile {
	readonly digest: Digest;
	/** Bytes, and milliseconds since 1970, as the file system tells them. */
	readonly size: number;
	readonly mtimeMs: number;
}

/**
 * The digests on disk, so that a start need not read every journal. A cache and no more: each line holds only for a
 * file of that size and time, what is broken is skipped, and a failed write costs nothing but time.
 */
export interface DigestCache {
	load(): Promise<readonly KnownFile[]>;
	/** Adds what changed; `all` is what there is, for when the file is written anew. */
	save(changed: readonly KnownFile[], all: ReadonlyMap<string, KnownFile>): Promise<void>;
}

export function createDigestCache(home: string): DigestCache {
	const path = join(home, "summaries.jsonl");
	let lines = 0;
	return {
		load: async () => {
			const read = await readLines(path).catch(() => ({ lines: [] }));
			lines = read.lines.length;
			const files = read.lines.flatMap(({ text }) => parseKnownFile(text) ?? []);
			return [...new Map(files.map((file) => [file.digest.summary.id, file])).values()];
		},
		save: async (changed, all) => {
			try {
				lines += changed.length;
				if (lines <= 2 * all.size + SLACK)
					return await appendLines(path, changed.map(toLine), { durable: false });
				lines = all.size;
				await replace(path, [...all.values()]);
			} catch {
				// What is not kept is read again from the journals.
				await rm(path, { force: true }).catch(() => undefined);
			}
		},
	};
}

async function replace(path: string, files: readonly KnownFile[]): Promise<void> {
	const draft = `${path}.${process.pid}`;
	await writeFile(draft, files.map((file) => `${JSON.stringify(toLine(file))}\n`).join(""), { mode: 0o600 });
	await rename(draft, path);
}

function toLine(file: KnownFile): object {
	return { version: VERSION, ...file };
}

function parseKnownFile(text: string): KnownFile | undefined {
	const line = parseLine(text);
	if (!isObject<"version" | keyof KnownFile>(line) || line.version !== VERSION) return undefined;
	const { digest, size, mtimeMs } = line;
	if (!isObject<keyof Digest>(digest) || !isObject<"id">(digest.summary)) return undefined;
	const numbers = [size, mtimeMs, digest.end, digest.messagesEnd];
	const isWhole =
		typeof digest.summary.id === "string" && numbers.every((value) => typeof value === "number");
	return isWhole ? (line as unknown as KnownFile) : undefined;
}
