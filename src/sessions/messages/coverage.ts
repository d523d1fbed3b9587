import type { Overview } from "../journal/overview.ts";
import { type MessageRow, type WeighedRow, weigh } from "./message.ts";

export type Coverage = ReturnType<typeof createCoverage>;

/** How far the journals are read: what is in the table, and what is in memory only. */
export function createCoverage({ digests }: Overview) {
	/** What is in no table yet; the rows of a session are in the order of its journal. */
	let tail: readonly WeighedRow[] = [];
	let whole: number | undefined;
	const stored = new Map<string, number>();
	const seen = new Map<string, number>();
	const endOf = (session: string) => digests().get(session)?.messagesEnd ?? 0;
	const reached = (session: string) => seen.get(session) ?? stored.get(session) ?? 0;
	const keep = (isWanted: (row: MessageRow) => boolean) => {
		tail = tail.filter(isWanted);
	};
	return {
		/** Journals with unread lines, and those that are shorter than what was read. */
		behind: () => [...digests().keys()].filter((session) => endOf(session) !== reached(session)),
		/** Sessions in the table whose journal is gone, or is another one. */
		obsolete: () => [...stored.keys()].filter((session) => (stored.get(session) ?? 0) > endOf(session)),
		/** The overview's revision up to which nothing is behind. */
		wholeAt: () => whole,
		noteWhole: (revision: number) => {
			whole = revision;
		},
		/** Where to read a journal on, in bytes. */
		readFrom: (session: string) => (reached(session) > endOf(session) ? 0 : reached(session)),
		tail: () => tail,
		/** Rows were read of a journal, up to that byte. */
		noteRead: (session: string, rows: readonly MessageRow[], end: number) => {
			if (reached(session) > end) keep((row) => row.session !== session);
			tail = [...tail, ...rows.map(weigh)];
			seen.set(session, end);
		},
		/** What the table holds: by session, the end of the last line in it. */
		noteTable: (ends: ReadonlyMap<string, number>) => {
			whole = undefined;
			replaceAll(stored, ends);
			keep(({ session, end }) => end > (ends.get(session) ?? 0) || endOf(session) < (ends.get(session) ?? 0));
			// What another process has taken out of the table, and what is not in memory, is read again.
			replaceAll(seen, new Map(tail.map(({ session, end }) => [session, end])));
		},
		/** Records that these rows are now in the table, and that the removed sessions are not. */
		noteWritten: (rows: readonly MessageRow[], removed: readonly string[]) => {
			for (const session of removed) stored.delete(session);
			for (const { session, end } of rows) stored.set(session, end);
			const written = new Set(rows);
			keep((row) => !written.has(row));
		},
		/** Lets go of what was read of sessions that are gone. */
		dropGone: () => {
			keep(({ session }) => digests().has(session));
			for (const session of seen.keys()) if (!digests().has(session)) seen.delete(session);
		},
		forget: () => {
			whole = undefined;
			for (const map of [stored, seen]) map.clear();
			tail = [];
		},
	};
}

function replaceAll(map: Map<string, number>, by: ReadonlyMap<string, number>): void {
	map.clear();
	for (const [key, value] of by) map.set(key, value);
}
