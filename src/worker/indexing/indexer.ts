import type { IndexProgress, IndexReport } from "../../core/knowledge.ts";
import { type IndexRunParts, runIndexing, type Watcher } from "./indexRun.ts";
import type { ReadersNote } from "./readersNote.ts";
import { type SharedRun, shareRun } from "./sharedRun.ts";
import { throttle } from "./throttle.ts";
import { createTurns, type Turns } from "./turns.ts";

/** How often a listener hears of progress at most. */
const PROGRESS_MS = 100;

/** Keeps the store in step with the files; one run at a time. */
export interface Indexer {
	/** Brings all in step. Calls at the same time share one run, which is cancelled when all of them are. */
	sync(
		options: SyncOptions,
		onProgress: (progress: IndexProgress) => void,
		signal: AbortSignal,
	): Promise<IndexReport>;
	/**
	 * Brings these absolute paths, and what is inside them, in step, if need be between two files of another run.
	 * `force` reads the files again that have not changed.
	 */
	syncPaths(
		paths: readonly string[],
		options: { readonly force: boolean },
		signal: AbortSignal,
	): Promise<IndexReport>;
	/** Does other work that writes while no run does, if need be between two files of one. */
	slipIn(work: () => Promise<void>): Promise<void>;
	/** Makes every run wait between two files, or lets them go on. */
	pause(paused: boolean): void;
	readonly isPaused: boolean;
	/** Folds what `syncPaths` has written into the indexes, so that searches stay quick. */
	tidy(): Promise<void>;
	/** How far the run over all files is; `undefined` where there is none. */
	progress(): IndexProgress | undefined;
	/** Cancels every run; settles when none is left. */
	close(): Promise<void>;
}

interface SyncOptions {
	readonly rebuild: boolean;
	/** Whether to see also what has changed since a run that is at work began. */
	readonly fresh?: boolean;
}

export interface IndexerParts extends IndexRunParts {
	readonly readers: ReadersNote;
	/** Hears of what no caller waits for. */
	readonly onError: (thrown: unknown) => void;
}

interface FullRun {
	readonly rebuild: boolean;
	hasBegun: boolean;
	readonly shared: SharedRun<IndexProgress, IndexReport>;
}

export function createIndexer(parts: IndexerParts): Indexer {
	const turns = createTurns();
	const closing = new AbortController();
	const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
	let latest: FullRun | undefined;
	const tidySoon = createTidying(parts, turns, closing.signal);
	let progress: IndexProgress | undefined;
	return {
		sync: (options, onProgress, signal) => {
			if (!latest || !canJoin(latest, options)) latest = startSync(options.rebuild);
			return latest.shared.join(throttle(onProgress, PROGRESS_MS), untilClosed(signal));
		},
		syncPaths: (scope, { force }, signal) =>
			turns.slipIn(scope, (between) => {
				const watcher = { report: () => undefined, signal: untilClosed(signal), between };
				return runIndexing(parts, { rebuild: false, scope, force }, watcher);
			}),
		slipIn: (work) =>
			turns.slipIn([], async (between) => {
				await between(async () => undefined, closing.signal);
				await work();
			}),
		pause: turns.pause,
		get isPaused() {
			return turns.isPaused;
		},
		tidy: () => turns.take(() => parts.store.optimize()),
		progress: () => progress,
		close: async () => {
			closing.abort();
			await turns.idle();
		},
	};

	function startSync(rebuild: boolean): FullRun {
		const shared = shareRun<IndexProgress, IndexReport>((report, signal) =>
			turns.take(async (between) => {
				run.hasBegun = true;
				const note = (now: IndexProgress | undefined) => {
					progress = now;
					if (now) report(now);
				};
				const watcher = { report: note, signal, between };
				const result = await syncAll(parts, rebuild, watcher).finally(() => note(undefined));
				tidySoon();
				return result;
			}),
		);
		const run = { rebuild, hasBegun: false, shared };
		return run;
	}
}

/** Tidies up after a run, without keeping anybody waiting: all is stored and found already. Once is enough for several runs. */
function createTidying({ store, onError }: IndexerParts, turns: Turns, signal: AbortSignal): () => void {
	let isWaiting = false;
	return () => {
		if (isWaiting) return;
		isWaiting = true;
		const tidying = turns.take(async () => {
			isWaiting = false;
			if (!signal.aborted) await store.optimize();
		});
		tidying.catch(onError);
	};
}

/** A run that has begun has listed its files already. */
function canJoin(run: FullRun, { rebuild, fresh = false }: SyncOptions): boolean {
	return run.shared.isOpen && (run.rebuild || !rebuild) && !(fresh && run.hasBegun);
}

async function syncAll(parts: IndexerParts, rebuild: boolean, watcher: Watcher): Promise<IndexReport> {
	const { readers, store } = parts;
	const isRead = (await readers.isCurrent()) || (!rebuild && (await beginEmpty(parts)));
	const result = await runIndexing(parts, { rebuild, force: !isRead }, watcher);
	if (!isRead) await readers.write();
	await store.noteFolders(parts.sources.folders());
	return result;
}

/** What is to come into an empty index is read by the readers of today, also where the run does not come to its end. */
async function beginEmpty({ store, lock, readers }: IndexerParts): Promise<boolean> {
	if (!(await lock.acquire())) return false;
	await store.refresh();
	if (store.documents().size > 0) return false;
	await readers.write();
	return true;
}
