import { stat } from "node:fs/promises";
import { codeOf, isMissing } from "../../base/files/fileError.ts";
import { readLines } from "../../base/files/jsonLines.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import { belongsTo, type Person, type Reader } from "../../core/session/person.ts";
import { parseEntry } from "./journalEntry.ts";

/** A journal says how it began in its first line; lines that a crash has torn may stand before it. */
const HEAD = 64 * 1024;

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
