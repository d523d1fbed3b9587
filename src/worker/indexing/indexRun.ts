import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Lock } from "../../base/files/lock.ts";
import type { DocumentRecord, ParsedDocument } from "../../core/knowledge/document.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { IndexPriority, IndexProgress, IndexRun } from "../../core/knowledge/knowledge.ts";
import type { Documents, Store, StoredDocument } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope, type SourceFiles } from "../files/sources.ts";
import type { FileAnswer } from "../parsing/parserMessage.ts";
import type { ParserPool } from "../parsing/parserProcess.ts";
import { type BatchWriter, createBatchWriter } from "./batchWriter.ts";
import { createReadAhead } from "./readAhead.ts";
import { requireLock } from "./requireLock.ts";
import type { Between } from "./turns.ts";

/** So little is read before another parser has started. */
const FEW_FILES = 30;

const FEW_BYTES = 1_000_000;

/** Files that are begun at a time for each parser: while one takes long, those after it go on. */
const BEGUN = 16;

/** Bytes of files that are read, or wait to be written, at a time: what they say takes many times as much memory. */
const ROOM_BYTES = 12_000_000;

export interface IndexRunParts {
	readonly store: Store;
	readonly parsers: ParserPool;
	readonly lock: Lock;
	readonly sources: SourceFiles;
}

export interface IndexRunOptions extends PlanOptions {
	/** Whether to index everything again. */
	readonly rebuild: boolean;
	/** Whether to throw the present index away first, which cannot be read. */
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

/** Brings the store in step with the files. Cancelled, or ended by an error, it leaves what it has done. */
export async function runIndexing(
	parts: IndexRunParts,
	options: IndexRunOptions,
	watcher: Watcher,
): Promise<IndexRun> {
	const startedMs = performance.now();
	const { store, lock } = parts;
	watcher.signal.throwIfAborted();
	await requireLock(lock, options.rebuild ? "rebuild" : "index");
	// Another process may have written before this one got the lock.
	await (options.discard ? store.clear() : store.refresh());
	watcher.report({ done: 0, total: 0, found: store.documents().size, current: "" });
	const files = await parts.sources.list(options.scope, watcher.signal);
	const plan = planIndexing(files, store.documents(), options);
	if (plan.gone.length > 0) await store.remove(plan.gone);
	const writer = createBatchWriter(async (documents) => {
		await requireLock(lock, "index");
		await store.replace(documents);
	});
	try {
		const tally = await bringInStep(plan, { ...parts, writer, force: options.force }, watcher);
		await writer.flush();
		return { ...tally, durationMs: performance.now() - startedMs };
	} finally {
		await writer.settle();
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
	// A single parser reads one file at a time; several are kept busy while a file is being written.
	const most = isMuch ? BEGUN * parts.parsers.size : 1;
	const reading = createReadAhead(changed, readIfOpen, { most, weightOf: bytesToRead, room: ROOM_BYTES });
	try {
		let current = changed[0]?.uri ?? "";
		for (const index of changed.keys()) {
			signal.throwIfAborted();
			const tell = () => {
				const found = parts.store.documents().size;
				report({ done: upToDate + index, total, found, current: parts.sources.pathOf(current) });
			};
			tell();
			doneByOthers.push(...(await between(parts.writer.flush, signal)));
			const { item, result } = await whileIdle(reading.next(), () => parts.writer.flush().then(tell));
			// What was read before another run brought the file in step is old.
			await take(item, isInScope(item.uri, doneByOthers) ? "unchanged" : result, parts, tally);
			current = item.uri;
		}
		return tally;
	} finally {
		await reading.settle();
	}

	async function readIfOpen(file: FoundFile): Promise<Outcome> {
		return isInScope(file.uri, doneByOthers) ? "unchanged" : readAgain(file, parts, signal);
	}
}

/** Milliseconds; while a file takes longer, what has been read can be found already. */
const IDLE_MS = 250;

async function whileIdle<Result>(step: Promise<Result>, work: () => Promise<void>): Promise<Result> {
	// What goes wrong with the work is thrown by the next one.
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

async function take(
	file: FoundFile,
	outcome: Outcome,
	{ store, writer }: WritingParts,
	tally: Tally,
): Promise<void> {
	if (outcome === "unchanged") tally.unchanged++;
	else if (outcome === "gone") tally.removed += await removeKnown(file.uri, store);
	else {
		await writer.add(outcome);
		tally[outcome.record.state.kind]++;
		tally.passages += outcome.passages.length;
	}
}

/** What a file says now, as far as that is news. */
async function readAgain(
	file: FoundFile,
	{ store, parsers, force }: ReadingParts,
	signal: AbortSignal,
): Promise<Outcome> {
	const { uri, path, refused } = file;
	const known = store.documents().get(uri);
	const knownHash = force ? undefined : known?.hash;
	const answer = refused
		? ({ kind: "leftOut", state: refused } as const)
		: await parsers.parse({ uri, path, ...(knownHash && { knownHash }) }, signal);
	if (answer.kind === "unchanged" || answer.kind === "gone") return answer.kind;
	const document = toStoredDocument(file, answer);
	const isNews = (force && answer.kind === "parsed") || !isSameRecord(known, document.record);
	return isNews ? document : "unchanged";
}

/** A file that vanished between the listing and the reading. */
async function removeKnown(uri: string, store: Store): Promise<number> {
	if (!store.documents().has(uri)) return 0;
	await store.remove([uri]);
	return 1;
}

interface PlanOptions {
	/** Only these absolute paths, and what is inside them. */
	readonly scope?: readonly string[];
	/** Whether to read unchanged files again; the present index serves until then. */
	readonly force: boolean;
	readonly first?: IndexPriority;
}

/** What is to be done so that the index is in step with the files. */
interface IndexPlan {
	readonly changed: readonly FoundFile[];
	readonly upToDate: number;
	/** URIs of documents whose files are gone, or are excluded now. */
	readonly gone: readonly string[];
}

/** Compares sizes and dates, unless `force`. Within a scope every file is read, because the caller knows that it changed. */
export function planIndexing(
	files: readonly FoundFile[],
	records: Documents,
	{ scope, force, first }: PlanOptions,
): IndexPlan {
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	const upToDate = files.length - changed.length;
	return { changed: inOrder(changed, first), upToDate, gone };
}

/** Bytes of a file that may keep a parser busy for seconds. */
const LARGE = 1_000_000;

/**
 * What somebody has open, then what is named like the question, then texts, then files from which a text is extracted,
 * and large files last, so that most can be found soon; the largest of them first, so that the parsers end together.
 */
function inOrder(files: readonly FoundFile[], first: IndexPriority | undefined): FoundFile[] {
	const open = new Set(first?.uris);
	const rankOf = ({ uri, path, size }: FoundFile): number => {
		if (open.has(uri)) return 0;
		const name = basename(path).toLowerCase();
		if (first?.words.some((word) => name.includes(word))) return 1;
		if (size >= LARGE) return 4;
		return isExtracted(name) ? 3 : 2;
	};
	const ranked = Map.groupBy(files, rankOf);
	const large = (ranked.get(4) ?? []).toSorted((a, b) => b.size - a.size);
	return [0, 1, 2, 3].flatMap((rank) => ranked.get(rank) ?? []).concat(large);
}

/** A file that is left out says nothing. */
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

/** Whether a record is still up to date, as far as that can be seen without reading the file. */
function isUpToDate(record: DocumentRecord | undefined, { size, modifiedMs, refused }: FoundFile): boolean {
	if (!record || record.size !== size) return false;
	if (refused) return isDeepStrictEqual(record.state, refused);
	// What could not be opened may be open now: permissions leave no date.
	if (record.state.kind === "failed" && record.hash === "") return false;
	return record.modifiedMs === modifiedMs;
}

/** Whether writing the second over the first would change nothing but a date. */
function isSameRecord(before: DocumentRecord | undefined, after: DocumentRecord): boolean {
	return (
		before !== undefined &&
		before.hash === after.hash &&
		before.size === after.size &&
		isDeepStrictEqual(before.state, after.state)
	);
}
