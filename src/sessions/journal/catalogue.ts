import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { coalesce } from "../../base/coalesce.ts";
import { isMissing, onDisk } from "../../base/fileError.ts";
import { readLines } from "../../base/jsonLines.ts";
import { belongsTo, type Reader } from "../../core/session/person.ts";
import { type Digest, digestEntry, emptyDigest } from "./digest.ts";
import { createDigestCache, type DigestCache, type KnownFile } from "./digestCache.ts";
import { parseEntry } from "./journalEntry.ts";
import type { Journals } from "./journals.ts";
import { isClosed } from "./owner.ts";

/** Files that are looked at before other work of the process gets its turn: some milliseconds. */
const FILES_PER_TURN = 500;
/** Sessions that were used within this time are likely to go on in some window. */
const RECENT_MS = 7 * 86_400_000;
/** After this time, sessions that were not used lately are looked at too. */
const FULL_LOOK_MS = 10_000;
/** Journals that are read at the same time. */
const READS = 16;

/** What is known of the journals of one person. It is made of the files, and made again of them where they changed. */
export interface Catalogue {
	/** By session. As of the last look. */
	digests(): ReadonlyMap<string, Digest>;
	/** Grows whenever a digest changes. */
	revision(): number;
	/** Looks at every file. */
	refresh(): Promise<void>;
	/** Looks at new files, and at those of sessions that were used lately; now and then at all, without waiting for it. */
	refreshRecent(): Promise<void>;
	/** Looks at the files of these sessions. */
	update(ids: Iterable<string>): Promise<void>;
}

export interface CatalogueOptions {
	/** Absolute path of the folder of what is made of the journals for this reader. */
	readonly home: string;
	readonly reader: Reader;
	readonly journals: Journals;
	readonly onError: (thrown: unknown) => void;
}

export function createCatalogue({ home, reader, journals, onError }: CatalogueOptions): Catalogue {
	const cache = createDigestCache(home);
	const isOwn = ({ person }: Digest) => belongsTo(reader, person);
	const known = new Map<string, KnownFile>();
	const digests = new Map<string, Digest>();
	let loading: Promise<void> | undefined;
	let revision = 0;
	const note = (file: KnownFile) => {
		const { id } = file.digest.summary;
		revision++;
		known.set(id, file);
		if (isOwn(file.digest)) digests.set(id, file.digest);
		else digests.delete(id);
	};
	const load = async () => {
		for (const file of await cache.load()) note(file);
	};
	const look = (ids: readonly string[]) =>
		onDisk("Reading the sessions", async () => {
			loading ??= load();
			await loading;
			for (const id of await readChanged({ ids, known, journals, cache, isOwn, note })) {
				if (known.delete(id)) revision++;
				digests.delete(id);
			}
		});
	const present = () => onDisk("Reading the sessions", () => idsIn(journals.folder));
	let lookedAtAll = 0;
	const refresh = coalesce(async () => {
		lookedAtAll = Date.now();
		await look([...new Set([...(await present()), ...known.keys()])].filter(isId(journals)));
	});
	return {
		digests: () => digests,
		revision: () => revision,
		refresh,
		refreshRecent: async () => {
			const now = Date.now();
			if (lookedAtAll === 0) return refresh();
			const isRecent = ([, { summary }]: [string, Digest]) => now - summary.updatedAt < RECENT_MS;
			const recent = [...digests].filter(isRecent).map(([id]) => id);
			const added = (await present()).filter((id) => !known.has(id)).filter(isId(journals));
			await look([...added, ...recent]);
			if (now - lookedAtAll > FULL_LOOK_MS) refresh().catch(onError);
		},
		update: (ids) => look([...ids]),
	};
}

interface Look {
	readonly ids: readonly string[];
	readonly known: ReadonlyMap<string, KnownFile>;
	readonly journals: Journals;
	readonly cache: DigestCache;
	isOwn(digest: Digest): boolean;
	note(file: KnownFile): void;
}

/** Reads what changed on, and keeps what it learned. Resolves with the ids of those that are gone. */
async function readChanged(look: Look): Promise<string[]> {
	const { ids, known, journals, cache, note } = look;
	const { changed, gone } = await compare(ids, known, journals);
	const read: KnownFile[] = [];
	for (let start = 0; start < changed.length; start += READS) {
		const files = changed.slice(start, start + READS).map((file) => readOn(file, look));
		for (const file of await Promise.all(files)) {
			if (!file) continue;
			note(file);
			read.push(file);
		}
	}
	if (read.length > 0) await cache.save(read, known);
	return gone;
}

/** A file as it is, with the digest of an earlier look that can be carried on. */
interface ChangedFile {
	readonly digest: Digest;
	readonly size: number;
	readonly mtimeMs: number;
}

/** The calls are made one by one: ten thousand at once would take their turns of the thread pool, ten times as long. */
async function compare(ids: readonly string[], known: ReadonlyMap<string, KnownFile>, journals: Journals) {
	const changed: ChangedFile[] = [];
	const gone: string[] = [];
	for (const [index, id] of ids.entries()) {
		if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate();
		const stats = statSync(journals.pathOf(id), { throwIfNoEntry: false });
		if (!stats?.isFile()) gone.push(id);
		else changed.push(...changeOf(id, stats, known.get(id)));
	}
	return { changed, gone };
}

/** A journal that grew is read on; any other change of it was not ours, and it is read anew. */
function changeOf(
	id: string,
	{ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
	before: KnownFile | undefined,
): ChangedFile[] {
	if (!before) return [{ digest: emptyDigest(id), size, mtimeMs }];
	if (before.size === size && before.mtimeMs === mtimeMs) return [];
	const isGrown = size > before.size && size >= before.digest.end;
	return [{ digest: isGrown ? before.digest : emptyDigest(id), size, mtimeMs }];
}

/** Nothing is known of a journal that the system keeps from us. */
async function readOn(
	{ digest, size, mtimeMs }: ChangedFile,
	{ journals, isOwn }: Look,
): Promise<KnownFile | undefined> {
	const { id } = digest.summary;
	const read = await readLines(journals.pathOf(id), digest.end).catch(nothingWhereClosed);
	if (!read) return undefined;
	const { lines, end } = read;
	let next = digest;
	for (const line of lines) {
		const entry = parseEntry(line.text);
		if (entry) next = digestEntry(next, entry, line.end);
		const { person } = next;
		// Of another person's journal nothing is kept but whose it is.
		if (person && !isOwn(next))
			return { digest: { ...emptyDigest(id), isBegun: true, person, end }, size, mtimeMs };
	}
	return { digest: { ...next, end }, size, mtimeMs };
}

function isId(journals: Journals): (id: string) => boolean {
	return (id) => {
		try {
			return journals.pathOf(id) !== "";
		} catch {
			return false;
		}
	};
}

async function idsIn(folder: string): Promise<string[]> {
	const names = await readdir(folder).catch(noFolder);
	return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6));
}

function nothingWhereClosed(thrown: unknown): undefined {
	if (!isClosed(thrown)) throw thrown;
}

function noFolder(thrown: unknown): string[] {
	if (isMissing(thrown)) return [];
	throw thrown;
}
