import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFailure } from "../../base/failure.ts";
import { undefinedIfGone } from "../../base/files/file.ts";
import { throttle } from "../../base/jobs/coalesce.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { IndexPriority, IndexProgress, IndexRun } from "../../core/knowledge/knowledge.ts";
import { READERS_VERSION } from "../../knowledge/readersVersion.ts";
import { type IndexRunOptions, type IndexRunParts, runIndexing, type Watcher } from "./indexRun.ts";
import { createTurns } from "./turns.ts";

const PROGRESS_MS = 100;

export type Indexer = ReturnType<typeof createIndexer>;

interface SyncOptions {
	readonly rebuild: boolean;
	/** Whether to include changes after the start of a current run. */
	readonly fresh?: boolean;
	readonly first?: IndexPriority;
}

export interface IndexerParts extends IndexRunParts {
	readonly readers: ReturnType<typeof createReadersNote>;
	readonly onError: (thrown: unknown) => void;
}

type RunParts = IndexerParts & { readonly tidying: Tidying };

interface FullRun {
	readonly rebuild: boolean;
	hasBegun: boolean;
	readonly shared: ReturnType<typeof shareRun<IndexProgress, IndexRun>>;
}

export function createIndexer(given: IndexerParts) {
	const turns = createTurns();
	const closing = new AbortController();
	const parts = { ...given, tidying: createTidying(given.store.optimize, turns.take, given.onError) };
	const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
	let latest: FullRun | undefined;
	let progress: IndexProgress | undefined;
	return {
		/** Concurrent calls share a run, which is canceled when all of these calls are canceled. */
		sync: (options: SyncOptions, onProgress: (progress: IndexProgress) => void, signal: AbortSignal) => {
			if (!latest || !canJoin(latest, options)) latest = startSync(options);
			return latest.shared.join(throttle(onProgress, PROGRESS_MS), untilClosed(signal));
		},
		/** Updates absolute paths, also during another run. `force` reads unchanged files again. */
		syncPaths: (scope: readonly string[], { force }: { readonly force: boolean }, signal: AbortSignal) =>
			turns.slipIn(scope, (between) => {
				const watcher = { report: () => undefined, signal: untilClosed(signal), between };
				return syncSome(parts, { rebuild: false, scope, force }, watcher);
			}),
		slipIn: (work: () => Promise<void>) =>
			turns.slipIn([], async (between) => {
				await between(async () => undefined, closing.signal);
				await work();
			}),
		whenFree: (work: () => Promise<void>) => turns.take(work),
		pause: turns.pause,
		get isPaused() {
			return turns.isPaused;
		},
		tidySoon: parts.tidying.changed,
		progress: () => progress,
		close: async () => {
			parts.tidying.close();
			closing.abort();
			await turns.idle();
		},
	};

	function startSync({ rebuild, first }: SyncOptions): FullRun {
		const shared = shareRun<IndexProgress, IndexRun>((report, signal) =>
			turns.take((between) => {
				run.hasBegun = true;
				const note = (now: IndexProgress | undefined) => {
					progress = now;
					if (now) report(now);
				};
				const watcher = { report: note, signal, between };
				return syncAll(parts, { rebuild, ...(first && { first }) }, watcher).finally(() => note(undefined));
			}),
		);
		const run = { rebuild, hasBegun: false, shared };
		return run;
	}
}

/** A run that has begun has already listed its files, so it may miss fresh changes. */
function canJoin(run: FullRun, { rebuild, fresh = false }: SyncOptions): boolean {
	return run.shared.isOpen && (run.rebuild || !rebuild) && !(fresh && run.hasBegun);
}

async function syncSome(parts: RunParts, options: IndexRunOptions, watcher: Watcher): Promise<IndexRun> {
	const report = await runIndexing(parts, options, watcher);
	const { indexed, removed, skipped, failed } = report;
	if (indexed + removed + skipped + failed > 0) parts.tidying.changed();
	return report;
}

async function syncAll(parts: RunParts, { rebuild, first }: SyncOptions, watcher: Watcher) {
	const { readers, store } = parts;
	const isRead = (await readers.isCurrent()) || (!rebuild && (await beginEmpty(parts)));
	const result = rebuild
		? await rebuildAll(parts, watcher)
		: await runIndexing(parts, { rebuild, force: !isRead, ...(first && { first }) }, watcher);
	if (!isRead) await readers.write();
	await store.noteFolders(parts.sources.folders());
	parts.tidying.soon();
	return result;
}

/** Replaces each document after its file is read again. Deletes the index first only if it is unreadable. */
async function rebuildAll(parts: RunParts, watcher: Watcher): Promise<IndexRun> {
	const options = { rebuild: true, force: true };
	try {
		return await runIndexing(parts, options, watcher);
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "STORE_UNREADABLE") throw thrown;
		return runIndexing(parts, { ...options, discard: true }, watcher);
	}
}

/** If the index is empty, writes the version of the readers first, in case the run does not finish. */
async function beginEmpty({ store, lock, readers }: IndexerParts): Promise<boolean> {
	if (!(await lock.acquire())) return false;
	await store.refresh();
	if (store.documents().size > 0) return false;
	await readers.write();
	return true;
}

/** Shares one run of `work` among several callers. The run is canceled when the last caller leaves. */
export function shareRun<Progress, Result>(
	work: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>,
) {
	const controller = new AbortController();
	const listeners = new Set<(progress: Progress) => void>();
	let isOver = false;
	const result = work((progress) => {
		for (const listener of listeners) listener(progress);
	}, controller.signal).finally(() => {
		isOver = true;
	});
	return {
		get isOpen() {
			return !isOver && !controller.signal.aborted;
		},
		join,
	};

	/** Waits for the result; rejects at once when the signal aborts. */
	async function join(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Result> {
		// Two callers may pass the same function, so each call adds a new function to the set.
		const listener = (progress: Progress) => onProgress(progress);
		listeners.add(listener);
		try {
			return await untilAborted(result, signal);
		} finally {
			listeners.delete(listener);
			if (listeners.size === 0) controller.abort();
		}
	}
}

/** Manages a file next to the index with the version of the readers that have read all documents. */
export function createReadersNote(dataFolder: string, version: number = READERS_VERSION) {
	const path = join(dataFolder, "readers.version");
	return {
		isCurrent: async () => (await readFile(path, "utf8").catch(undefinedIfGone)) === String(version),
		write: async () => {
			await mkdir(dataFolder, { recursive: true });
			await writeFile(path, String(version));
		},
	};
}

/** Idle time after the last change before the index is tidied. */
const REST_MS = 5_000;
/** After this many changes, tidying does not wait for idle time: every change slows searches a little. */
const MOST_UNTIDY_CHANGES = 50;

type Tidying = ReturnType<typeof createTidying>;

/** `tidy` resolves to the milliseconds after which another call can free more space, if any. */
export function createTidying(
	tidy: () => Promise<number | undefined>,
	whenFree: (work: () => Promise<void>) => Promise<void>,
	onError: (thrown: unknown) => void,
) {
	let changes = 0;
	let isClosed = false;
	let waiting: NodeJS.Timeout | undefined;
	return {
		changed: () => {
			changes++;
			tidyIn(changes < MOST_UNTIDY_CHANGES ? REST_MS : 0);
		},
		soon: () => tidyIn(0),
		/** Cancels pending work, which the next process that opens the index does. */
		close: () => {
			isClosed = true;
			clearTimeout(waiting);
		},
	};

	/** Tidies now, and again later if some files could not be freed yet. */
	async function now(): Promise<void> {
		if (isClosed) return;
		clearTimeout(waiting);
		changes = 0;
		const leftMs = await tidy();
		// If the index changed in the meantime, tidying is already scheduled.
		if (leftMs !== undefined && changes === 0) tidyIn(leftMs);
	}

	function tidyIn(ms: number): void {
		clearTimeout(waiting);
		if (!isClosed) waiting = setTimeout(() => whenFree(now).catch(onError), ms);
	}
}
