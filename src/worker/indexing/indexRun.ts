import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Lock } from "../../base/files/lock.ts";
import type { DocumentRecord, ParsedDocument } from "../../core/knowledge/document.ts";
import type { IndexProgress, IndexRun } from "../../core/knowledge/knowledge.ts";
import type { Store, StoredDocument } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope, type SourceFiles } from "../files/sources.ts";
import type { FileAnswer } from "../parsing/parserMessage.ts";
import type { ParserPool } from "../parsing/parserProcess.ts";
import { type IndexPlan, type PlanOptions, planIndexing } from "./indexPlan.ts";
import { createReadAhead } from "./readAhead.ts";
import { requireLock } from "./requireLock.ts";
import type { Between } from "./turns.ts";

/** Up to these limits, one parser reads all files before a second parser could start. */
const FEW_FILES = 30;

const FEW_BYTES = 1_000_000;

/** Number of files in progress per parser, so that other files continue while one file takes long. */
const BEGUN = 16;

/** Maximum bytes of files that are read or wait to be written. Their content takes many times as much memory. */
const ROOM_BYTES = 12_000_000;

export interface IndexRunParts {
	readonly store: Store;
	readonly parsers: ParserPool;
	readonly lock: Lock;
	readonly sources: SourceFiles;
}

export interface IndexRunOptions extends PlanOptions {
	readonly rebuild: boolean;
	readonly discard?: boolean;
}

export interface Watcher {
	readonly report: (progress: IndexProgress) => void;
	readonly signal: AbortSignal;
	readonly between: Between;
}

type ReadingParts = IndexRunParts & { readonly force: boolean };

type WritingParts = ReadingParts & { readonly writer: BatchWriter };

type Outcome = StoredDocument | "unchanged" | "gone";

type Tally = { -readonly [Count in Exclude<keyof IndexRun, "durationMs">]: number };

/** Brings the store up to date with the files. Finished work is kept if the run is canceled or fails. */
export async function runIndexing(
	parts: IndexRunParts,
	options: IndexRunOptions,
	watcher: Watcher,
): Promise<IndexRun> {
	const startedMs = performance.now();
	const { store, lock } = parts;
	watcher.signal.throwIfAborted();
	await requireLock(lock, options.rebuild ? "rebuild" : "index");
	// Another process may have written before this process got the lock.
	await (options.discard ? store.clear() : store.refresh());
	const found = countFound(store);
	watcher.report({ done: 0, total: 0, found, current: "" });
	// If the index is empty, start the parsers while files are listed. The first file reports a failed start.
	const started = found === 0 ? parts.parsers.start().catch(() => undefined) : undefined;
	const writer = createBatchWriter(async (documents) => {
		await requireLock(lock, "index");
		await store.replace(documents);
	});
	try {
		const files = await parts.sources.list(options.scope, watcher.signal);
		const plan = planIndexing(files, store.documents(), options, parts.sources.pathOf);
		if (plan.gone.length > 0) await store.remove(plan.gone);
		const tally = await bringInStep(plan, { ...parts, writer, force: options.force }, watcher);
		await writer.flush();
		return { ...tally, durationMs: performance.now() - startedMs };
	} finally {
		await writer.settle();
		await started;
		await parts.parsers.rest();
	}
}

async function bringInStep(
	{ changed, upToDate, gone }: IndexPlan,
	parts: WritingParts,
	{ report, signal, between }: Watcher,
): Promise<Tally> {
	const total = changed.length + upToDate;
	const tally = { indexed: 0, unchanged: upToDate, removed: gone.length, skipped: 0, failed: 0, passages: 0 };
	const doneByOthers: string[] = [];
	const bytes = changed.reduce((sum, file) => sum + bytesToRead(file), 0);
	const isMuch = changed.length > FEW_FILES || bytes > FEW_BYTES;
	// A few files are read one at a time. More files keep the parsers busy while documents are written.
	const most = isMuch ? BEGUN * parts.parsers.size : 1;
	const readIfOpen = async (file: FoundFile): Promise<Outcome> =>
		isInScope(file.uri, doneByOthers) ? "unchanged" : readAgain(file, parts, signal);
	const reading = createReadAhead(changed, readIfOpen, { most, weightOf: bytesToRead, room: ROOM_BYTES });
	try {
		let current = changed[0]?.uri ?? "";
		for (const index of changed.keys()) {
			signal.throwIfAborted();
			const tell = () => {
				const found = countFound(parts.store);
				report({ done: upToDate + index, total, found, current: parts.sources.pathOf(current) });
			};
			tell();
			doneByOthers.push(...(await between(parts.writer.flush, signal)));
			const { item, result } = await whileIdle(reading.next(), () => parts.writer.flush().then(tell));
			// Discard content that was read before another run updated the file.
			await take(item, isInScope(item.uri, doneByOthers) ? "unchanged" : result, parts, tally);
			current = item.uri;
		}
		return tally;
	} finally {
		await reading.settle();
	}
}

/** Returns 0 if no document has a passage, because such documents answer nothing. */
function countFound({ documents }: Store): number {
	const hasText = Iterator.from(documents().entries()).some(({ passages }) => passages > 0);
	return hasText ? documents().size : 0;
}

/** If a file takes longer than this, the documents read before it are written, so that searches find them. */
const IDLE_MS = 250;

async function whileIdle<Result>(step: Promise<Result>, work: () => Promise<void>): Promise<Result> {
	// The error is ignored here, because the next write throws it.
	const timer = setTimeout(() => void work().catch(() => undefined), IDLE_MS);
	try {
		return await step;
	} finally {
		clearTimeout(timer);
	}
}

function bytesToRead({ size, refused }: FoundFile): number {
	return refused ? 0 : size;
}

async function take(file: FoundFile, outcome: Outcome, { store, writer }: WritingParts, tally: Tally) {
	if (outcome === "unchanged") tally.unchanged++;
	else if (outcome === "gone") {
		// The file was deleted after it was listed.
		if (!store.documents().has(file.uri)) return;
		await store.remove([file.uri]);
		tally.removed++;
	} else {
		await writer.add(outcome);
		tally[outcome.record.state.kind]++;
		tally.passages += outcome.passages.length;
	}
}

async function readAgain(file: FoundFile, { store, parsers, force }: ReadingParts, signal: AbortSignal) {
	const { uri, path, refused } = file;
	const known = store.documents().get(uri);
	const knownHash = force ? undefined : known?.hash;
	const answer = refused
		? ({ kind: "leftOut", state: refused } as const)
		: await parsers.parse({ uri, path, ...(knownHash && { knownHash }) }, signal);
	if (answer.kind === "unchanged" || answer.kind === "gone") return answer.kind;
	const document = toStoredDocument(file, answer);
	const isNews = (force && answer.kind === "parsed") || !hasSameContent(known, document.record);
	return isNews ? document : "unchanged";
}

function toStoredDocument(
	{ uri, path, size, modifiedMs }: FoundFile,
	answer: Extract<FileAnswer, { kind: "parsed" | "leftOut" }>,
): StoredDocument {
	const isRead = answer.kind === "parsed";
	const document: ParsedDocument = isRead ? answer.document : { ...NOTHING, title: basename(path) };
	const { title, passages, resources, quads, problems, extracted } = document;
	const record: DocumentRecord = {
		uri,
		format: isRead ? answer.format : "unknown",
		...(answer.facts ?? { hash: "", size, modifiedMs }),
		state: isRead ? { kind: "indexed" } : answer.state,
		title,
		passages: passages.length,
		resources: resources.length,
		quads: quads.length,
		problems,
		...(extracted && { parts: extracted.parts }),
	};
	const text = extracted && { text: extracted.text };
	const { vectors, embedder } = isRead ? answer : { vectors: new Float32Array(), embedder: undefined };
	const terms = isRead && { terms: answer.terms };
	return { record, passages, vectors, embedder, ...terms, resources, quads, ...text };
}

const NOTHING = { passages: [], resources: [], quads: [], problems: [] };

function hasSameContent(before: DocumentRecord | undefined, after: DocumentRecord): boolean {
	return (
		before !== undefined &&
		before.hash === after.hash &&
		before.size === after.size &&
		isDeepStrictEqual(before.state, after.state)
	);
}

/** A batch is written when it reaches one of these limits. */
const PASSAGES = 2000;
const CHARACTERS = 4_000_000;
const QUADS = 20_000;
const DOCUMENTS = 500;

/** Size of the first batch as a fraction of the limits: a user may be waiting. Sizes double up to the limits. */
const FIRST = 1 / 16;

/** A batch of this many times the limits is written before another document is read. */
const LARGE = 4;

type BatchWriter = ReturnType<typeof createBatchWriter>;

export function createBatchWriter(write: Store["replace"]) {
	let batch: StoredDocument[] = [];
	let load = 0;
	let full = FIRST;
	let writing: Promise<void> = Promise.resolve();
	return {
		/** Waits if two batches are full, or until a large batch is written, to limit memory. */
		add: async (document: StoredDocument) => {
			batch.push(document);
			load += loadOf(document);
			const isLarge = load >= LARGE;
			if (load >= full) await send();
			if (isLarge) await writing;
		},
		flush: async () => {
			if (batch.length > 0) await send();
			await writing;
		},
		/** Waits for the current write and drops all other documents. Never rejects. */
		settle: async () => {
			batch = [];
			await writing.catch(() => undefined);
		},
	};

	async function send(): Promise<void> {
		// Loop, because another call may start a write while this call waits.
		for (let last: Promise<void> | undefined; last !== writing; await last) last = writing;
		if (batch.length === 0) return;
		writing = write(batch);
		// The next call throws the error; until then, the rejection must not count as unhandled.
		writing.catch(() => undefined);
		batch = [];
		load = 0;
		full = Math.min(1, 2 * full);
	}
}

function loadOf({ passages, quads }: StoredDocument): number {
	const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
	return Math.max(passages.length / PASSAGES, characters / CHARACTERS, quads.length / QUADS, 1 / DOCUMENTS);
}
