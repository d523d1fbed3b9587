import { type Stats, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { onDisk, undefinedIfMissing } from "../../base/files/file.ts";
import { readLines } from "../../base/files/jsonLines.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { batchesOf } from "../../base/values.ts";
import { belongsTo, type Reader } from "../../core/session/memory.ts";
import { createDigestCache, type Digest, digestEntry, emptyDigest, type KnownFile } from "./digest.ts";
import { isClosed, isSessionId, type Journals } from "./journals.ts";
import { parseEntry } from "./transcript.ts";

/** Number of files to check before other tasks run, which takes a few milliseconds. */
const FILES_PER_TURN = 500;
/** Sessions that were used within this time are likely to continue in some window. */
const RECENT_MS = 7 * 86_400_000;
/** Interval in milliseconds at which all other sessions are checked, too. */
const FULL_LOOK_MS = 10_000;
const READS = 16;

export type Overview = ReturnType<typeof createOverview>;

export interface OverviewOptions {
	/** Absolute path of the folder with data that is derived from the journals for this reader. */
	readonly derived: string;
	readonly reader: Reader;
	readonly journals: Journals;
	readonly onError: (thrown: unknown) => void;
}

export function createOverview({ derived, reader, journals, onError }: OverviewOptions) {
	const cache = createDigestCache(derived);
	const found = createDigests(({ person }) => belongsTo(reader, person));
	const { known, digests } = found;
	let loading: Promise<void> | undefined;
	const load = async () => (await cache.load()).forEach(found.note);
	const look = (ids: readonly string[]) =>
		onDisk("Reading the sessions", async () => {
			loading ??= load();
			await loading;
			const read = await readChanged(ids, found, journals);
			if (read.length > 0) await cache.save(read, known);
		});
	let lookedAtAll = 0;
	const refresh = coalesce(async () => {
		lookedAtAll = Date.now();
		await look([...(await newIn(journals, known)), ...known.keys()]);
	});
	return {
		revision: found.revision,
		/** Digests by session id, as of the last refresh. */
		digests: (): ReadonlyMap<string, Digest> => digests,
		refresh,
		/** Checks new and recently used sessions and, from time to time, all files in the background. */
		refreshRecent: async () => {
			const now = Date.now();
			if (lookedAtAll === 0) return refresh();
			const recent = [...digests].filter(([, { summary }]) => summary.updatedAt > now - RECENT_MS);
			await look([...(await newIn(journals, known)), ...recent.map(([id]) => id)]);
			if (now - lookedAtAll > FULL_LOOK_MS) refresh().catch(onError);
		},
		update: look,
	};
}

type Digests = ReturnType<typeof createDigests>;

function createDigests(isOwn: (digest: Digest) => boolean) {
	const known = new Map<string, KnownFile>();
	const digests = new Map<string, Digest>();
	let revision = 0;
	return {
		known,
		digests,
		isOwn,
		revision: () => revision,
		note: (file: KnownFile) => {
			const { id } = file.digest.summary;
			revision++;
			known.set(id, file);
			digests.delete(id);
			if (isOwn(file.digest)) digests.set(id, file.digest);
		},
		remove: (id: string) => {
			if (known.delete(id)) revision++;
			digests.delete(id);
		},
	};
}

async function readChanged(ids: readonly string[], found: Digests, journals: Journals): Promise<KnownFile[]> {
	const { changed, gone } = await compare(ids, found.known, journals);
	const read: KnownFile[] = [];
	for (const batch of batchesOf(changed, READS)) {
		const files = await Promise.all(batch.map((file) => readOn(file, found, journals)));
		const readable = files.filter((file) => file !== undefined);
		// Recorded immediately, because another refresh may continue from here.
		readable.forEach(found.note);
		read.push(...readable);
	}
	gone.forEach(found.remove);
	return read;
}

/** Synchronous calls, because ten thousand concurrent calls would take ten times as long. */
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

/** Reads only the new lines of a journal that grew, but the whole journal after any other change. */
function growthOf(id: string, { size, mtimeMs }: Stats, before: KnownFile | undefined): KnownFile[] {
	if (!before) return [{ digest: emptyDigest(id), size, mtimeMs }];
	if (before.size === size && before.mtimeMs === mtimeMs) return [];
	const isGrown = size > before.size && size >= before.digest.end;
	return [{ digest: isGrown ? before.digest : emptyDigest(id), size, mtimeMs }];
}

async function readOn({ digest, size, mtimeMs }: KnownFile, { isOwn }: Digests, { pathOf }: Journals) {
	const { id } = digest.summary;
	const read = await readLines(pathOf(id), digest.end).catch((thrown) => {
		if (!isClosed(thrown)) throw thrown;
	});
	if (!read) return undefined;
	const { lines, end } = read;
	let next = digest;
	for (const line of lines) {
		const entry = parseEntry(line.text);
		if (entry) next = digestEntry(next, entry, line.end);
		const { person } = next;
		// Keeps only the owner of another person's journal.
		if (person && !isOwn(next))
			return { digest: { ...emptyDigest(id), isBegun: true, person, end }, size, mtimeMs };
	}
	return { digest: { ...next, end }, size, mtimeMs };
}

/** Checks ids only after known ids are removed, which saves milliseconds with ten thousand sessions. */
async function newIn({ folder }: Journals, known: ReadonlyMap<string, unknown>): Promise<string[]> {
	const names = await onDisk("Reading the sessions", () => readdir(folder).catch(undefinedIfMissing));
	const ids = (names ?? []).filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6));
	return ids.filter((id) => !known.has(id)).filter(isSessionId);
}
