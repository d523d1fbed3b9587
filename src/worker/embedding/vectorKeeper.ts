import { Failure } from "../../base/failure.ts";
import type { Lock } from "../../base/files/lock.ts";
import { numeral } from "../../base/text/plural.ts";
import type { EmbeddingProgress } from "../../core/knowledge/knowledge.ts";
import type { Model } from "../../embed/model.ts";
import type { Store } from "../../store/port/store.ts";
import type { Indexer } from "../indexing/indexer.ts";
import { requireLock } from "../indexing/requireLock.ts";
import type { Models } from "./models.ts";
import { countPassages, fillPending, succeed } from "./succession.ts";

/** After a failure it is tried again after so long; twice as long after every further one, up to the longest. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 600_000;

export interface VectorKeeperParts {
	readonly store: Store;
	readonly models: Models;
	readonly indexer: Indexer;
	readonly lock: Lock;
	readonly onError: (thrown: unknown) => void;
	readonly onProgress: () => void;
}

/**
 * Makes in the background the vectors that the parser did not make: those of an endpoint, and all of them after the
 * model has changed. Committed vectors stay, and an interrupted run continues from them.
 */
export function createVectorKeeper(parts: VectorKeeperParts) {
	const closing = new AbortController();
	let working: Promise<void> | undefined;
	let isAsked = false;
	let run: Run | undefined;
	/** Stays until a run has succeeded. */
	let trouble: string | undefined;
	let restMs = FIRST_REST_MS;
	let retry: NodeJS.Timeout | undefined;
	const report = (left: number) => {
		run = { first: left, atMs: performance.now(), ...run, left };
		parts.onProgress();
	};
	return {
		start,
		notices: () => noticesOf(parts, run?.left, trouble),
		/** Absent if nothing is being made. */
		progress: () => run && progressOf(parts.store, run),
		close: async () => {
			closing.abort();
			clearTimeout(retry);
			await working;
		},
	};

	/** Looks whether there is something to do; at work already, it looks once more afterwards. */
	function start(): void {
		isAsked = true;
		clearTimeout(retry);
		if (closing.signal.aborted) return;
		working ??= work().finally(() => {
			working = undefined;
		});
	}

	async function work(): Promise<void> {
		try {
			while (isAsked) {
				isAsked = false;
				await bringUp(parts, report, closing.signal);
			}
			const made = run;
			[run, trouble, restMs] = [undefined, undefined, FIRST_REST_MS];
			if (made) parts.onProgress();
		} catch (thrown) {
			if (!closing.signal.aborted) rest(thrown);
		}
	}

	function rest(thrown: unknown): void {
		const isFailure = thrown instanceof Failure;
		if (!isFailure) parts.onError(thrown);
		trouble = isFailure ? thrown.message : "An unexpected error is in the log.";
		retry = setTimeout(start, restMs).unref();
		restMs = Math.min(2 * restMs, LONGEST_REST_MS);
	}
}

/** Passages that had no vector of the wanted model when a run began, and now. */
interface Run {
	readonly first: number;
	readonly left: number;
	readonly atMs: number;
}

function progressOf(store: Store, { first, left, atMs }: Run): EmbeddingProgress {
	const total = countPassages([...store.documents().entries()]);
	const pace = (first - left) / (performance.now() - atMs);
	return { done: Math.max(0, total - left), total, ...(pace > 0 && { leftMs: left / pace }) };
}

async function bringUp(
	{ store, models, indexer, lock }: VectorKeeperParts,
	report: (left: number) => void,
	signal: AbortSignal,
): Promise<void> {
	const { wanted: model } = models;
	await store.refresh();
	if (!model || store.documents().size === 0 || isComplete(store, model) || !mayEmbed(store, models)) return;
	// Where another process keeps the index, it makes the vectors too.
	if (!(await lock.acquire())) return;
	const write = (work: () => Promise<void>) =>
		indexer.slipIn(async () => {
			await requireLock(lock, "index");
			await work();
		});
	const parts = { store, model, write, report };
	await (store.embedder()?.id === model.id ? fillPending(parts, signal) : succeed(parts, signal));
	indexer.tidySoon();
}

/** Vectors stay if they are of another model than the wanted one and that was not chosen. */
function mayEmbed(store: Store, { wanted, mayReplace }: Models): boolean {
	const embedder = store.embedder();
	return !embedder || embedder.id === wanted?.id || mayReplace(embedder);
}

function isComplete(store: Store, { id }: Model): boolean {
	return store.embedder()?.id === id && store.pending() === 0;
}

/** `left`: how many passages still need vectors of the wanted model, as far as that is known. */
function noticesOf({ store, models }: VectorKeeperParts, left?: number, trouble?: string): string[] {
	const { wanted } = models;
	const made = store.embedder();
	if (models.trouble) return [models.trouble];
	if (!wanted || !mayEmbed(store, models) || isComplete(store, wanted)) return [];
	const all = countPassages([...store.documents().entries()]);
	if (all === 0) return [];
	const missing = made?.id === wanted.id ? store.pending() : (left ?? all);
	const [done, total] = [all - missing, all].map(numeral);
	const progress =
		made && made.id !== wanted.id
			? `Re-embedding with ${wanted.id}: ${done} of ${total} passages; the others are still to come.`
			: `Embedding with ${wanted.id}: ${done} of ${total} passages have vectors; the others are found by full text only.`;
	return trouble
		? [progress, `Vectors cannot be made now; this is tried again later. ${trouble}`]
		: [progress];
}
