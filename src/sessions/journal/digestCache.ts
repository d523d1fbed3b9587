import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { appendLines, readLines } from "../../base/files/jsonLines.ts";
import { parseJson } from "../../base/values.ts";
import { type Digest, digest } from "./digest.ts";

/** Another number means other fields: lines of another one are not read. */
const VERSION = 3;
/** Lines beyond twice the sessions, before the file is rewritten. */
const SLACK = 1000;

export interface KnownFile {
	readonly digest: Digest;
	/** Bytes, and milliseconds since 1970, from the file system. */
	readonly size: number;
	readonly mtimeMs: number;
}

const cachedFile = z.compile(
	z.object({ version: z.literal(VERSION), digest, size: z.number(), mtimeMs: z.number() }),
);

/** Digests on disk for a quick start. A line holds for one file size and time; broken lines and failed writes are harmless. */
export type DigestCache = ReturnType<typeof createDigestCache>;

export function createDigestCache(home: string) {
	const path = join(home, "summaries.jsonl");
	let lines = 0;
	return {
		load: async () => {
			const read = await readLines(path).catch(() => ({ lines: [] }));
			lines = read.lines.length;
			const files = read.lines.flatMap(({ text }) => cachedFile.safeParse(parseJson(text)).data ?? []);
			return [...new Map(files.map((file) => [file.digest.summary.id, file])).values()];
		},
		/** Appends the changes; `all` is used when the file is rewritten. */
		save: async (changed: readonly KnownFile[], all: ReadonlyMap<string, KnownFile>) => {
			try {
				lines += changed.length;
				if (lines <= 2 * all.size + SLACK)
					return await appendLines(path, changed.map(toLine), { durable: false });
				lines = all.size;
				const draft = `${path}.${process.pid}`;
				const rewritten = Array.from(all.values(), (file) => `${JSON.stringify(toLine(file))}\n`).join("");
				await writeFile(draft, rewritten, { mode: 0o600 });
				await rename(draft, path);
			} catch {
				// What is not kept is read again from the journals.
				await rm(path, { force: true }).catch(() => undefined);
			}
		},
	};
}

function toLine(file: KnownFile): object {
	return { version: VERSION, ...file };
}
