import type { IndexProgress, IndexReport } from "../core/knowledge.ts";
import { createWriteQueue } from "../store/writeQueue.ts";
import { type IndexRunParts, runIndexing, type Watcher } from "./indexRun.ts";
import { type SharedRun, shareRun } from "./sharedRun.ts";
import { throttle } from "./throttle.ts";

/** How often a listener hears of progress at most. */
const PROGRESS_MS = 100;

/** Keeps the store in step with the files; one run at a time. */
export interface Indexer {
	/** Brings all in step. Calls at the same time share one run, which is cancelled when all of them are. */
	sync(
		options: { readonly rebuild: boolean },
		onProgress: (progress: IndexProgress) => void,
		signal: AbortSignal,
	): Promise<IndexReport>;
	/** Brings these absolute paths, and what is inside them, in step. */
	syncPaths(paths: readonly string[], signal: AbortSignal): Promise<IndexReport>;
	/** Folds what `syncPaths` has written into the indexes, so that searches stay quick. */
	tidy(): Promise<void>;
	/** How far the run over all files is; `undefined` where there is none. */
	progress(): IndexProgress | undefined;
	/** Settles when no run is left. */
	idle(): Promise<void>;
}

export function createIndexer(parts: IndexRunParts): Indexer {
	const runs = createWriteQueue();
	let latest: { readonly rebuild: boolean; readonly run: SharedRun<IndexProgress, IndexReport> } | undefined;
	let progress: IndexProgress | undefined;
	return {
		sync: ({ rebuild }, onProgress, signal) => {
			const canJoin = latest?.run.isOpen && (latest.rebuild || !rebuild);
			if (!latest || !canJoin) latest = { rebuild, run: startSync(rebuild) };
			return latest.run.join(throttle(onProgress, PROGRESS_MS), signal);
		},
		syncPaths: (scope, signal) =>
			runs.run(() => runIndexing(parts, { rebuild: false, scope }, { report: () => undefined, signal })),
		tidy: () => runs.run(() => parts.store.optimize()),
		progress: () => progress,
		idle: runs.idle,
	};

	function startSync(rebuild: boolean): SharedRun<IndexProgress, IndexReport> {
		return shareRun((report, signal) => runs.run(() => syncAll(rebuild, { report, signal })));
	}

	async function syncAll(rebuild: boolean, { report, signal }: Watcher): Promise<IndexReport> {
		const note = (now: IndexProgress) => {
			progress = now;
			report(now);
		};
		try {
			const options = { rebuild: rebuild || parts.isOutdated() };
			const result = await runIndexing(parts, options, { report: note, signal });
			await parts.store.optimize();
			return result;
		} finally {
			progress = undefined;
		}
	}
}
