import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { onDisk, undefinedIfMissing } from "../../base/files/file.ts";
import { readLines } from "../../base/files/jsonLines.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { belongsTo, type Reader } from "../../core/session/memory.ts";
import type { SessionChange, SessionSummary } from "../../core/session/session.ts";
import { type Digest, digestEntry, emptyDigest } from "./digest.ts";
import { createDigestCache, type DigestCache, type KnownFile } from "./digestCache.ts";
import { parseEntry } from "./journalEntry.ts";
import { isSessionId, type Journals } from "./journals.ts";
import { isClosed } from "./owner.ts";

/** Files to look at before other work of the process gets its turn: a few milliseconds. */
const FILES_PER_TURN = 500;
/** Sessions used within this time are likely to continue in some window. */
const RECENT_MS = 7 * 86_400_000;
/** After this time, look at the other sessions too. */
const FULL_LOOK_MS = 10_000;
/** Journals to read at the same time. */
const READS = 16;

/** Digests of one person's journals, derived from the files, and again from those that change. */
export type Overview = ReturnType<typeof createOverview>;

interface OverviewOptions {
	/** Absolute path of the folder of what is made of the journals for this reader. */
	readonly home: string;
	readonly reader: Reader;
	readonly journals: Journals;
	readonly onError: (thrown: unknown) => void;
}

export function createOverview({ home, reader, journals, onError }: OverviewOptions) {
	const cache = createDigestCache(home);
	const isOwn = ({ person }: Digest) => belongsTo(reader, person);
	const { note, remove, known, digests, ...kept } = createDigests(isOwn);
	let loading: Promise<void> | undefined;
	const load = async () => (await cache.load()).forEach(note);
	const look = (ids: readonly string[]) =>
		onDisk("Reading the sessions", async () => {
			loading ??= load();
			await loading;
			for (const id of await readChanged({ ids, known, journals, cache, isOwn, note })) remove(id);
		});
	let lookedAtAll = 0;
	const refresh = coalesce(async () => {
		lookedAtAll = Date.now();
		await look([...(await newIn(journals, known)), ...known.keys()]);
	});
	return {
		...kept,
		/** By session. As of the last look. */
		digests: (): ReadonlyMap<string, Digest> => digests,
		/** Looks at every file. */
		refresh,
		/** Looks at new files and at recently used sessions; now and then at all files, in the background. */
		refreshRecent: async () => {
			const now = Date.now();
			if (lookedAtAll === 0) return refresh();
			const recent = [...digests].filter(([, { summary }]) => summary.updatedAt > now - RECENT_MS);
			await look([...(await newIn(journals, known)), ...recent.map(([id]) => id)]);
			if (now - lookedAtAll > FULL_LOOK_MS) refresh().catch(onError);
		},
		/** Looks at the files of these sessions; resolves with how each changed. */
		update: async (ids: readonly string[]) => {
			await look([]);
			const before = new Map(ids.map((id) => [id, digests.get(id)?.summary]));
			await look(ids);
			return ids.map((id) => changeOf(id, before.get(id), digests.get(id)?.summary));
		},
	};
}

function createDigests(isOwn: (digest: Digest) => boolean) {
	const known = new Map<string, KnownFile>();
	const digests = new Map<string, Digest>();
	let revision = 0;
	let changed = new Set<string>();
	const noteChange = (id: string) => {
		revision++;
		changed.add(id);
	};
	return {
		known,
		digests,
		note: (file: KnownFile) => {
			const { id } = file.digest.summary;
			noteChange(id);
			known.set(id, file);
			digests.delete(id);
			if (isOwn(file.digest)) digests.set(id, file.digest);
		},
		remove: (id: string) => {
			if (known.delete(id)) noteChange(id);
			digests.delete(id);
		},
		/** Grows whenever a digest changes. */
		revision: () => revision,
		/** Sessions whose digest was added, changed or removed since the last call, for the index of them. */
		takeChanged: (): ReadonlySet<string> => {
			const taken = changed;
			changed = new Set();
			return taken;
		},
	};
}

function changeOf(id: string, before?: SessionSummary, after?: SessionSummary): SessionChange {
	return { id, ...(before && { before }), ...(after && { after }) };
}

interface Look {
	readonly ids: readonly string[];
	readonly known: ReadonlyMap<string, KnownFile>;
	readonly journals: Journals;
	readonly cache: DigestCache;
	isOwn(digest: Digest): boolean;
	note(file: KnownFile): void;
}

/** Reads what was added, and stores the result. Resolves to the ids of removed journals. */
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

/** The calls are made one by one: ten thousand at once would take their turns of the thread pool, ten times as long. */
async function compare(ids: readonly string[], known: ReadonlyMap<string, KnownFile>, journals: Journals) {
	const changed: KnownFile[] = [];
	const gone: string[] = [];
	for (const [index, id] of ids.entries()) {
		if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate();
		const stats = statSync(journals.pathOf(id), { throwIfNoEntry: false });
		if (!stats?.isFile()) gone.push(id);
		else changed.push(...growthOf(id, stats, known.get(id)));
	}
	return { changed, gone };
}

/** Reads only the new lines of a journal that grew; after any other change, which was not ours, reads all of it. */
function growthOf(
	id: string,
	{ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
	before: KnownFile | undefined,
): KnownFile[] {
	if (!before) return [{ digest: emptyDigest(id), size, mtimeMs }];
	if (before.size === size && before.mtimeMs === mtimeMs) return [];
	const isGrown = size > before.size && size >= before.digest.end;
	return [{ digest: isGrown ? before.digest : emptyDigest(id), size, mtimeMs }];
}

/** A journal that the system does not let us read stays unknown. */
async function readOn(
	{ digest, size, mtimeMs }: KnownFile,
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
		// Keep only the owner of another person's journal.
		if (person && !isOwn(next))
			return { digest: { ...emptyDigest(id), isBegun: true, person, end }, size, mtimeMs };
	}
	return { digest: { ...next, end }, size, mtimeMs };
}

/** The journals of which nothing is known: to check the names of ten thousand others takes milliseconds. */
async function newIn(journals: Journals, known: ReadonlyMap<string, unknown>): Promise<string[]> {
	const names = await onDisk("Reading the sessions", () =>
		readdir(journals.folder).catch(undefinedIfMissing),
	);
	const ids = (names ?? []).filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6));
	return ids.filter((id) => !known.has(id)).filter(isSessionId);
}

function nothingWhereClosed(thrown: unknown): undefined {
	if (!isClosed(thrown)) throw thrown;
}
