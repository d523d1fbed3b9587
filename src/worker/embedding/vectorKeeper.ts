import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../base/failure.ts";
import type { Lock } from "../../base/files/lock.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { numeral } from "../../base/text/plural.ts";
import type { EmbeddingProgress } from "../../core/knowledge/knowledge.ts";
import type { Model } from "../../embed/model.ts";
import { type DocumentEntry, recordOf, type Store, type StoredDocument } from "../../store/port/store.ts";
import type { Indexer } from "../indexing/indexer.ts";
import { requireLock } from "../indexing/requireLock.ts";
import { type Models, requireSame } from "./models.ts";

/** Delay before the first retry after a failure. Each later delay is twice as long, up to `LONGEST_REST_MS`. */
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

/** Computes vectors that parsers do not compute. Commits in steps, so that an interrupted run can continue. */
export function createVectorKeeper(parts: VectorKeeperParts) {
	const closing = new AbortController();
	let working: Promise<void> | undefined;
	let run: Run | undefined;
	let trouble: string | undefined;
	let restMs = FIRST_REST_MS;
	let retry: NodeJS.Timeout | undefined;
	const look = coalesce(work);
	const report = (left: number) => {
		run = { first: left, atMs: performance.now(), ...run, left };
		parts.onProgress();
	};
	return {
		start,
		notices: () => noticesOf(parts, run?.left, trouble),
		progress: () => run && progressOf(parts.store, run),
		close: async () => {
			closing.abort();
			clearTimeout(retry);
			await working;
		},
	};

	/** If a run is in progress, another run starts after it. */
	function start(): void {
		clearTimeout(retry);
		working = look();
	}

	async function work(): Promise<void> {
		if (closing.signal.aborted) return;
		try {
			await bringUp(parts, report, closing.signal);
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

/** Number of passages without a vector of the wanted model: `first` at the start of the run, `left` now. */
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

async function bringUp(keeper: VectorKeeperParts, report: (left: number) => void, signal: AbortSignal) {
	const { store, models, indexer, lock } = keeper;
	const { wanted: model } = models;
	await store.refresh();
	if (!model || store.documents().size === 0 || isComplete(store, model) || !mayEmbed(store, models)) return;
	// If another process holds the lock, that process also computes the vectors.
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

function mayEmbed(store: Store, { wanted, mayReplace }: Models): boolean {
	const embedder = store.embedder();
	return !embedder || embedder.id === wanted?.id || mayReplace(embedder);
}

function isComplete(store: Store, { id }: Model): boolean {
	return store.embedder()?.id === id && store.pending() === 0;
}

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
	if (!trouble) return [progress];
	return [progress, `Vectors cannot be made now; this is tried again later. ${trouble}`];
}

/** Number of passages per commit, which is the most that a crash can lose. */
const PASSAGES = 256;

interface EmbeddingParts {
	readonly store: Store;
	readonly model: Model;
	/** Runs `work` between two indexing runs or two files of a run. Rejects if this process may not write. */
	readonly write: (work: () => Promise<void>) => Promise<void>;
	readonly report: (left: number) => void;
}

async function fillPending(parts: EmbeddingParts, signal: AbortSignal): Promise<void> {
	const { store, write, report } = parts;
	for (let pending = pendingIn(store); pending.length > 0; pending = pendingIn(store)) {
		report(countPassages(pending));
		const sources = await readSources(store, latestOf(pending, PASSAGES));
		const documents = await embedded(sources, parts.model, store.embedder()?.dimensions ?? 0, signal);
		await write(async () => {
			signal.throwIfAborted();
			await store.replace(documents.filter((_, index) => isAsRead(sources[index], store)));
		});
	}
}

/** Copies all documents, with vectors of `model`, to a successor store, which finally replaces this store. */
async function succeed(parts: EmbeddingParts, signal: AbortSignal): Promise<void> {
	const { store, model, write } = parts;
	const { length: dimensions } = await model.passages(["What are the vectors' dimensions?"], signal);
	const next = await store.successor({ id: model.id, dimensions });
	const copied = new Map<string, number>();
	// An earlier, interrupted attempt may already have copied some documents.
	for (const entry of store.documents().entries()) {
		const { isPending: _pending, ...record } = recordOf(entry);
		if (isDeepStrictEqual(next.documents().get(entry.uri), record)) copied.set(entry.uri, entry.revision);
	}
	try {
		for (let isDone = false; !isDone; ) {
			await catchUp();
			await next.optimize();
			await write(async () => {
				signal.throwIfAborted();
				isDone = missing().length === 0 && superfluous().length === 0;
				if (isDone) await store.adoptSuccessor();
			});
		}
	} finally {
		await next.close();
	}

	async function catchUp(): Promise<void> {
		for (let left = missing(); left.length > 0; left = missing()) {
			parts.report(countPassages(left));
			const sources = await readSources(store, latestOf(left, PASSAGES));
			await next.replace(await embedded(sources, model, dimensions, signal));
			for (const { document, revision } of sources) copied.set(document.record.uri, revision);
		}
		await next.remove(superfluous());
	}

	function missing(): DocumentEntry[] {
		return [...store.documents().entries()].filter(({ uri, revision }) => copied.get(uri) !== revision);
	}

	function superfluous(): string[] {
		return [...next.documents().keys()].filter((uri) => !store.documents().has(uri));
	}
}

async function embedded(sources: readonly Source[], model: Model, dimensions: number, signal: AbortSignal) {
	const passages = sources.flatMap(({ document }) => document.passages);
	const texts = passages.map(({ title, text }) => `${title}\n${text}`);
	const vectors = await model.passages(texts, signal);
	requireSame(vectors, texts.length, { id: model.id, dimensions });
	let end = 0;
	return sources.map(({ document }) => {
		const start = end;
		end += document.passages.length * dimensions;
		return { ...document, vectors: vectors.subarray(start, end), embedder: model.id };
	});
}

function pendingIn(store: Store): DocumentEntry[] {
	return [...store.documents().entries()].filter(({ isPending }) => isPending);
}

function countPassages(records: readonly DocumentEntry[]): number {
	return records.reduce((sum, { passages }) => sum + passages, 0);
}

interface Source {
	readonly document: StoredDocument;
	readonly revision: number;
}

function isAsRead(source: Source | undefined, store: Store): boolean {
	return (
		source !== undefined && store.documents().entry(source.document.record.uri)?.revision === source.revision
	);
}

async function readSources(store: Store, entries: readonly DocumentEntry[]): Promise<Source[]> {
	const statements = await store.statementsOf(entries.map(({ uri }) => uri));
	const sources: Source[] = [];
	for (const entry of entries) {
		const record = recordOf(entry);
		const { resources, quads } = statements.get(record.uri) ?? { resources: [], quads: [] };
		const stored = await store.passagesOf(record.uri);
		const passages = stored.map(({ id: _id, uri: _uri, ...passage }) => passage);
		const text = record.parts && (await store.extractedText(record.uri));
		const content = { record, passages, resources, quads, ...(text !== undefined && { text }) };
		const document = { ...content, vectors: new Float32Array(), embedder: undefined };
		sources.push({ document, revision: entry.revision });
	}
	return sources.filter((source) => isAsRead(source, store));
}

/** Returns the most recently changed documents with at most `most` passages, but at least one document. */
function latestOf(entries: readonly DocumentEntry[], most: number): DocumentEntry[] {
	const changed = new Map(entries.map((entry) => [entry, recordOf(entry).modifiedMs]));
	const latest = entries.toSorted((a, b) => (changed.get(b) ?? 0) - (changed.get(a) ?? 0));
	const first: DocumentEntry[] = [];
	let passages = 0;
	for (const entry of latest) {
		passages += entry.passages;
		if (first.length > 0 && (passages > most || first.length >= most)) break;
		first.push(entry);
	}
	return first;
}
