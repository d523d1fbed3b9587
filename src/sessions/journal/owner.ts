import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { codeOf, isMissing, undefinedIfMissing } from "../../base/files/file.ts";
import { readLines } from "../../base/files/jsonLines.ts";
import { parseJson } from "../../base/values.ts";
import { type JournalEntry, journalEntry } from "../../core/session/journalEntry.ts";
import { belongsTo, type Person, type Reader } from "../../core/session/memory.ts";

/** The first line of a journal has its header, but lines torn by a crash may precede it. */
const HEAD = 64 * 1024;

/** Thousands of lines are read at a start. */
const schema = z.compile(journalEntry);

/** What a line of a journal says. Undefined for torn ones, and for kinds that this version does not know. */
export function parseEntry(line: string): JournalEntry | undefined {
	return schema.safeParse(parseJson(line)).data;
}

export type Ownership = "own" | "another's" | "missing";

export async function ownershipOf(path: string, reader: Reader): Promise<Ownership> {
	try {
		await stat(path);
		return belongsTo(reader, (await beginningOf(path))?.person) ? "own" : "another's";
	} catch (thrown) {
		if (isMissing(thrown)) return "missing";
		if (isClosed(thrown)) return "another's";
		throw thrown;
	}
}

/** Whoever calls says nothing of whose session it is; a journal that lost its beginning begins again. */
export async function signed(
	lines: readonly JournalEntry[],
	path: string,
	person: Person,
): Promise<JournalEntry[]> {
	const own = lines.map((line) => (line.kind === "session" ? { ...line, person } : line));
	const isHeadless = own[0]?.kind !== "session" && (await beginningOf(path)) === undefined;
	const beginning: JournalEntry = { kind: "session", at: Date.now(), engine: "model", workspace: "", person };
	return isHeadless ? [beginning, ...own] : own;
}

/** Whether a file may not be read by the user of the system whom we run as. */
export function isClosed(thrown: unknown): boolean {
	return ["EACCES", "EPERM"].includes(codeOf(thrown));
}

async function beginningOf(path: string): Promise<Extract<JournalEntry, { kind: "session" }> | undefined> {
	const { lines } = await readLines(path, 0, HEAD);
	for (const { text } of lines) {
		const entry = parseEntry(text);
		if (entry?.kind === "session") return entry;
	}
	return undefined;
}

interface JournalFile {
	readonly id: string;
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since 1970; for a journal in the trash, when it was deleted. */
	readonly writtenAt: number;
}

/** Absolute paths of the folders of journals and of deleted journals, in the folder of sessions. */
export function journalFolders(home: string) {
	return { folder: join(home, "journals"), trash: join(home, "trash") };
}

/** All journals of one person, including deleted ones. */
export async function allFiles(home: string, reader: Reader): Promise<JournalFile[]> {
	const places = Object.values(journalFolders(home));
	return (await Promise.all(places.map((place) => ownFiles(place, reader)))).flat();
}

/** Removes for good all that was last written by then, deleted or not. Resolves with the ids. */
export async function removeFiles(home: string, reader: Reader, writtenBy: number): Promise<string[]> {
	const gone = (await allFiles(home, reader)).filter(({ writtenAt }) => writtenAt <= writtenBy);
	for (const { path } of gone) await rm(path, { force: true });
	return [...new Set(gone.map(({ id }) => id))];
}

export async function ownFiles(folder: string, reader: Reader): Promise<JournalFile[]> {
	const found: JournalFile[] = [];
	for (const name of await readdir(folder).catch(() => [])) {
		const path = join(folder, name);
		if (!name.endsWith(".jsonl") || (await ownershipOf(path, reader)) !== "own") continue;
		// Another window may have removed or restored it meanwhile.
		const stats = await stat(path).catch(undefinedIfMissing);
		if (stats)
			found.push({ id: name.slice(0, -".jsonl".length), path, size: stats.size, writtenAt: stats.mtimeMs });
	}
	return found;
}
