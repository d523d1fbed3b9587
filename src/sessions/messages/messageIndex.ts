import { join } from "node:path";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { type Embedder, vectorsOf } from "../../core/knowledge/embedder.ts";
import type { Journals } from "../journal/journals.ts";
import type { Overview } from "../journal/overview.ts";
import { keyOf, type MessageRow, readPieces, type TurnRef, type WeighedRow, weigh } from "./message.ts";
import type { MessageTable, RowQuery } from "./messageTable.ts";
import { createSharedTable, type SharedTable, type WriteLock } from "./sharedTable.ts";

/** Pieces that are worth an addition to the table; fewer are searched in memory. */
const BATCH = 50;
/** Pieces that are read before they are added, while there is much to catch up with. */
const LARGE_BATCH = 2000;
/** Maximum number of pieces in memory if another process holds the table. */
const MOST_IN_MEMORY = 10_000;
/** Sessions that a search waits for; any beyond these are caught up with in the background. */
const FEW = 100;
/** A broken table is opened again, then rebuilt, then filled. */
const TRIES = 3;

/** Index of questions and answers by words and meaning. Rebuilt from the journals if missing or broken. No method rejects. */
export type MessageIndex = ReturnType<typeof createMessageIndex>;

export interface MessageIndexOptions {
	/** Absolute path of the folder of sessions. */
	readonly home: string;
	readonly overview: Overview;
	readonly journals: Journals;
	readonly embedder: Embedder | undefined;
	readonly lock: WriteLock;
	readonly onError: (thrown: unknown) => void;
}

interface Parts extends MessageIndexOptions {
	readonly coverage: Coverage;
	readonly shared: SharedTable;
	readonly closing: AbortSignal;
}

export function createMessageIndex(options: MessageIndexOptions) {
	const { overview, embedder, lock } = options;
	const coverage = createCoverage(overview);
	const shared = createSharedTable({ folder: join(options.home, "index"), embedder }, lock);
	const closing = new AbortController();
	const parts: Parts = { ...options, coverage, shared, closing: closing.signal };
	const advance = coalesce(() => untilWell(parts, () => readAll(parts)).then(() => undefined));
	const catchUp = async () => {
		const revision = overview.revision();
		// Avoids comparing ten thousand sessions again if there are no new messages.
		if (coverage.wholeAt() === revision) return;
		if (coverage.behind().length > FEW) return void advance();
		await advance();
		if (coverage.behind().length === 0) coverage.noteWhole(revision);
	};
	const read = async <Row>(ask: (table: MessageTable) => Promise<Row[]>) => {
		const step = async () => {
			const table = await shared.open();
			return table ? ask(table) : [];
		};
		return (await untilWell(parts, step, catchUp)) ?? [];
	};
	return {
		/** Reads new messages. Resolves when all can be found, or when there are so many that reading goes on in the background. */
		catchUp,
		/** Resolves when all is in the table and in its indexes, unless another process is at it. */
		settle: async () => {
			await advance();
			await untilWell(parts, () => flush(parts, "last"), advance);
		},
		/** Pieces that may answer: the best of the table, and all that is not in it yet. */
		candidates: async (text: string, vector: Float32Array, query: RowQuery) => {
			const found = await read((table) => table.match({ text, vector }, query));
			return [...distinct(found).map(weigh), ...coverage.tail().filter(isWithin(query))];
		},
		rowsOf: async (places: readonly TurnRef[]) => {
			const keys = new Set(places.map(keyOf));
			const found = await read((table) => table.rowsOf(places));
			return distinct([...found, ...coverage.tail().filter((row) => keys.has(keyOf(row)))]);
		},
		/** Deletes the folder with all that was made of the journals; resolves to whether no other process was at it. */
		discard: async () => {
			// What reads it now is let finish.
			await advance();
			const isGone = await shared.discard(options.home);
			if (isGone) coverage.forget();
			return isGone;
		},
		close: async () => {
			closing.abort();
			await advance();
			await shared.close();
		},
	};
}

/** Runs a step; if the table fails, repairs it and tries the step again. */
async function untilWell<Result>(
	{ coverage, shared, closing, onError }: Parts,
	step: () => Promise<Result>,
	recover: () => Promise<void> = async () => undefined,
): Promise<Result | undefined> {
	for (let tries = 1; tries <= TRIES && !closing.aborted; tries++) {
		try {
			const result = await step();
			shared.trust();
			return result;
		} catch (thrown) {
			onError(thrown);
			shared.distrust();
			coverage.forget();
			await recover();
		}
	}
	return undefined;
}

/** Reads all journals on, and adds to the table what is worth it. */
async function readAll(parts: Parts): Promise<void> {
	const { coverage, shared, closing } = parts;
	await shared.open();
	await lookAtTable(parts);
	const behind = coverage.behind();
	for (const session of behind) {
		if (closing.aborted) return;
		await readOn(parts, session);
		const isMuch = coverage.tail().length >= LARGE_BATCH;
		if (isMuch && !(await flush(parts, "doubling")) && coverage.tail().length >= MOST_IN_MEMORY) break;
	}
	coverage.dropGone();
	if (coverage.tail().length >= BATCH || coverage.obsolete().length > 0)
		await flush(parts, behind.length > FEW ? "last" : "due");
}

async function lookAtTable({ coverage, shared }: Parts): Promise<void> {
	const ends = await shared.look();
	if (ends) coverage.noteTable(ends);
}

async function readOn({ overview, coverage, embedder, journals }: Parts, session: string): Promise<void> {
	const digest = overview.digests().get(session);
	if (!digest) return;
	const { workspace } = digest.summary;
	const after = coverage.readFrom(session);
	const pieces = await readPieces(journals.pathOf(session), { session, workspace, after });
	const vectors = await vectorsOf(
		pieces.map(({ text }) => text),
		embedder,
	);
	const rows = pieces.map((piece, index) => ({ ...piece, vector: vectors[index] ?? new Float32Array() }));
	coverage.noteRead(session, rows, Math.max(digest.messagesEnd, pieces.at(-1)?.end ?? 0));
}

/** Moves what was read into the table; resolves to whether it was ours to write. */
function flush(parts: Parts, fold: Parameters<MessageTable["tidy"]>[0]): Promise<boolean> {
	const { overview, coverage, shared, closing } = parts;
	return shared.write(async (table) => {
		if (closing.aborted) return;
		await lookAtTable(parts);
		// A session that only the table knows may be one that another process has just begun.
		await overview.update(coverage.obsolete());
		const gone = coverage.obsolete();
		const rows = coverage.tail();
		if (gone.length > 0) await table.remove(gone);
		if (rows.length > 0) await table.add(rows);
		coverage.noteWritten(rows, gone);
		await table.tidy(fold);
		await shared.noteOwnWrite();
	});
}

function isWithin({ sessions, workspace, orSession }: RowQuery): (row: MessageRow) => boolean {
	const wanted = sessions && new Set(sessions);
	return ({ session, workspace: place }) =>
		(!wanted || wanted.has(session)) &&
		(workspace === undefined || place === workspace || session === orSession);
}

/** A row may be found by its words and by its meaning, and be in memory for a moment longer. */
function distinct(rows: readonly MessageRow[]): MessageRow[] {
	return [...new Map(rows.map((row) => [`${row.session} ${row.end} ${row.text}`, row])).values()];
}

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
