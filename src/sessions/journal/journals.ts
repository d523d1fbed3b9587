import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { codeOf, isMissing, onDisk, undefinedIfMissing } from "../../base/files/file.ts";
import { appendLines, readLines } from "../../base/files/jsonLines.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { EntryOf, JournalEntry } from "../../core/session/journalEntry.ts";
import { belongsTo, type Person, type Reader } from "../../core/session/memory.ts";
import type { DeletedSession } from "../../core/session/session.ts";
import { digestEntry, emptyDigest } from "./digest.ts";
import { firstTurns, parseEntry } from "./transcript.ts";

const TRASH_MS = 30 * 86_400_000;

/** Append-only journals of one person's sessions, one file each. Leaves journals of other persons alone. */
export type Journals = ReturnType<typeof createJournals>;

export function createJournals(home: string, reader: Reader) {
	const { folder, trash } = journalFolders(home);
	const pathOf = (id: string) => join(folder, fileNameOf(id));
	const trashedPathOf = (id: string) => join(trash, fileNameOf(id));
	const [requireOwn, requireOwnOrNone] = [requireOwnership(reader), requireOwnership(reader, "missing")];
	const entries = (id: string) =>
		onDisk("Reading the session", async () => {
			await requireOwn(pathOf(id), id);
			return entriesIn(await readLines(pathOf(id)));
		});
	const orderOf = memoize((_id: string) => createMutex());
	const write = (id: string, lines: readonly JournalEntry[]) => {
		const save = async () => {
			if (lines.length === 0) return;
			await (lines[0]?.kind === "session" ? requireOwnOrNone : requireOwn)(pathOf(id), id);
			await appendLines(pathOf(id), await signed(lines, pathOf(id), reader[0]));
		};
		return orderOf(id).run(() => onDisk("Saving the session", save));
	};
	return {
		folder,
		pathOf,
		entries,
		append: write,
		fork: async (id: string, turns: number) => {
			const fork = randomUUID();
			await write(fork, forkEntries(id, await entries(id), turns));
			return fork;
		},
		delete: (id: string) =>
			onDisk("Deleting the session", async () => {
				await requireOwn(pathOf(id), id);
				await requireOwnOrNone(trashedPathOf(id), id);
				await moveToTrash(pathOf(id), trashedPathOf(id));
			}),
		restore: (id: string) =>
			onDisk("Restoring the session", async () => {
				await requireOwn(trashedPathOf(id), id);
				if ((await ownershipOf(pathOf(id), reader)) !== "missing")
					throw new Failure("BAD_INPUT", "There is a session with this ID again; nothing was restored.");
				await rename(trashedPathOf(id), pathOf(id));
			}),
		deleted: () => onDisk("Reading the deleted sessions", () => readDeleted(trash, reader)),
		emptyTrash: () =>
			onDisk("Emptying the trash of sessions", () =>
				removeOld(ownFiles(trash, reader), Date.now() - TRASH_MS),
			),
	};
}

async function moveToTrash(path: string, trashed: string): Promise<void> {
	await mkdir(dirname(trashed), { recursive: true, mode: 0o700 });
	const now = new Date();
	await utimes(path, now, now);
	await rename(path, trashed);
}

function forkEntries(id: string, entries: readonly JournalEntry[], turns: number): JournalEntry[] {
	if (!(turns >= 1)) throw new Failure("BAD_INPUT", "Choose the turn after which the new session begins.");
	const copied = firstTurns(entries, turns).map(withoutStepSession);
	const count = copied.filter(({ kind }) => kind === "question").length;
	const begun = entries.find((entry) => entry.kind === "session");
	const title = entries.findLast((entry) => entry.kind === "titled");
	const { engine = "model", workspace = "" } = begun ?? {};
	const at = Date.now();
	const forkOf = { session: id, turns: count };
	const first: JournalEntry = { kind: "session", at, engine, workspace, forkOf };
	return [first, ...copied, ...(title ? [{ ...title, at }] : [])];
}

/** A step's session stays with the original chain, so the copy of an event must not name it. */
function withoutStepSession(entry: JournalEntry): JournalEntry {
	if (entry.kind !== "event" || entry.event.kind !== "stepStarted") return entry;
	const { session: _, ...event } = entry.event;
	return { ...entry, event };
}

function entriesIn({ lines }: Awaited<ReturnType<typeof readLines>>): JournalEntry[] {
	return lines.flatMap(({ text }) => parseEntry(text) ?? []);
}

/** Whether an id is a safe file name that cannot lead out of the folder. */
export function isSessionId(id: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);
}

function fileNameOf(id: string): string {
	if (isSessionId(id)) return `${id}.jsonl`;
	throw new Failure("BAD_INPUT", "This is not the ID of a session.");
}

function requireOwnership(reader: Reader, or: Ownership = "own") {
	return async (path: string, id: string): Promise<void> => {
		if (["own", or].includes(await ownershipOf(path, reader))) return;
		const why = `There is no session ${id}. It was deleted, or belongs to another machine or person.`;
		throw new Failure("NOT_FOUND", why);
	};
}

async function readDeleted(trash: string, reader: Reader): Promise<DeletedSession[]> {
	const found = await ownFiles(trash, reader);
	const read = found.map(async ({ id, path, writtenAt: deletedAt }) => {
		const entries = entriesIn(await readLines(path));
		const { summary } = entries.reduce((digest, entry) => digestEntry(digest, entry, 0), emptyDigest(id));
		return { ...summary, deletedAt };
	});
	return (await Promise.all(read)).sort((a, b) => b.deletedAt - a.deletedAt);
}

/** Number of bytes in which to search for the header. Lines torn by a crash may precede the header. */
const HEAD = 64 * 1024;

type Ownership = "own" | "another's" | "missing";

async function ownershipOf(path: string, reader: Reader): Promise<Ownership> {
	try {
		await stat(path);
		return belongsTo(reader, (await beginningOf(path))?.person) ? "own" : "another's";
	} catch (thrown) {
		if (isMissing(thrown)) return "missing";
		if (isClosed(thrown)) return "another's";
		throw thrown;
	}
}

/** Adds the person to the header, and a header to a journal that lost its own. */
async function signed(lines: readonly JournalEntry[], path: string, person: Person): Promise<JournalEntry[]> {
	const own = lines.map((line) => (line.kind === "session" ? { ...line, person } : line));
	const isHeadless = own[0]?.kind !== "session" && (await beginningOf(path)) === undefined;
	const beginning: JournalEntry = { kind: "session", at: Date.now(), engine: "model", workspace: "", person };
	return isHeadless ? [beginning, ...own] : own;
}

export function isClosed(thrown: unknown): boolean {
	return ["EACCES", "EPERM"].includes(codeOf(thrown));
}

async function beginningOf(path: string): Promise<EntryOf<"session"> | undefined> {
	const { lines } = await readLines(path, 0, HEAD);
	const entries = lines.values().map(({ text }) => parseEntry(text));
	return entries.find((entry) => entry?.kind === "session");
}

function journalFolders(home: string) {
	return { folder: join(home, "journals"), trash: join(home, "trash") };
}

export async function allFiles(home: string, reader: Reader) {
	const places = Object.values(journalFolders(home));
	return (await Promise.all(places.map((place) => ownFiles(place, reader)))).flat();
}

export async function removeOld(files: ReturnType<typeof ownFiles>, writtenBy: number) {
	const gone = (await files).filter(({ writtenAt }) => writtenAt <= writtenBy);
	for (const { path } of gone) await rm(path, { force: true });
	return [...new Set(gone.map(({ id }) => id))];
}

/** Sizes are in bytes, times in milliseconds since 1970. In the trash, the time is that of the deletion. */
async function ownFiles(folder: string, reader: Reader) {
	const found = [];
	for (const name of await readdir(folder).catch(() => [])) {
		const path = join(folder, name);
		if (!name.endsWith(".jsonl") || (await ownershipOf(path, reader)) !== "own") continue;
		// Another window may have removed or restored the journal in the meantime.
		const stats = await stat(path).catch(undefinedIfMissing);
		if (stats) found.push({ id: basename(name, ".jsonl"), path, size: stats.size, writtenAt: stats.mtimeMs });
	}
	return found;
}
