import type { Digest } from "../journal/digest.ts";
import type { MessageRow } from "./messageRows.ts";
import { createMessageTail, type WeighedRow } from "./messageTail.ts";

/** How far the journals are read: what is in the table, and what is in memory only. */
export interface Coverage {
	/** Journals with lines that were not read, and those that are shorter than what was read. */
	behind(): string[];
	/** Sessions in the table whose journal is gone, or is another one. */
	obsolete(): string[];
	/** The overview's revision up to which nothing is behind. */
	wholeAt(): number | undefined;
	noteWhole(revision: number): void;
	/** Where to read a journal on, in bytes. */
	readFrom(session: string): number;
	/** What is in no table yet; the rows of a session are in the order of its journal. */
	tail(): readonly WeighedRow[];
	/** Rows were read of a journal, up to that byte. */
	noteRead(session: string, rows: readonly MessageRow[], end: number): void;
	/** What the table holds: by session, the end of the last line in it. */
	noteTable(ends: ReadonlyMap<string, number>): void;
	/** These rows are in the table now, and nothing is left in it of those sessions. */
	noteWritten(rows: readonly MessageRow[], removed: readonly string[]): void;
	/** Lets go of what was read of sessions that are gone. */
	dropGone(): void;
	/** Everything is to be read again. */
	forget(): void;
}

export function createCoverage(digests: () => ReadonlyMap<string, Digest>): Coverage {
	const tail = createMessageTail();
	const stored = new Map<string, number>();
	const seen = new Map<string, number>();
	let whole: number | undefined;
	const endOf = (session: string) => digests().get(session)?.messagesEnd ?? 0;
	const reached = (session: string) => seen.get(session) ?? stored.get(session) ?? 0;
	return {
		behind: () => [...digests().keys()].filter((session) => endOf(session) !== reached(session)),
		obsolete: () => [...stored].flatMap(([session, end]) => (end > endOf(session) ? [session] : [])),
		wholeAt: () => whole,
		noteWhole: (revision) => {
			whole = revision;
		},
		readFrom: (session) => (reached(session) > endOf(session) ? 0 : reached(session)),
		tail: tail.rows,
		noteRead: (session, rows, end) => {
			if (reached(session) > end) tail.keep((row) => row.session !== session);
			tail.add(rows);
			seen.set(session, end);
		},
		noteTable: (ends) => {
			whole = undefined;
			replaceAll(stored, ends);
			tail.keep(
				({ session, end }) => end > (ends.get(session) ?? 0) || endOf(session) < (ends.get(session) ?? 0),
			);
			// What another process has taken out of the table, and what is not in memory, is read again.
			replaceAll(seen, new Map(tail.rows().map(({ session, end }) => [session, end])));
		},
		noteWritten: (rows, removed) => {
			for (const session of removed) stored.delete(session);
			for (const { session, end } of rows) stored.set(session, end);
			const written = new Set(rows);
			tail.keep((row) => !written.has(row));
		},
		dropGone: () => {
			tail.keep(({ session }) => digests().has(session));
			for (const session of seen.keys()) if (!digests().has(session)) seen.delete(session);
		},
		forget: () => {
			whole = undefined;
			for (const map of [stored, seen]) map.clear();
			tail.keep(() => false);
		},
	};
}

function replaceAll(map: Map<string, number>, by: ReadonlyMap<string, number>): void {
	map.clear();
	for (const [key, value] of by) map.set(key, value);
}
