import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Passage } from "../core/knowledge/document.ts";
import { readSpans, storeSpans } from "../core/knowledge/section.ts";
import { withRoomFor } from "./growable.ts";
import type { PassageTopic } from "./match.ts";

/** Bytes of one chunk of memory. No passage is in two chunks. */
const CHUNK = 2 ** 20;

/** Maximum bytes of all passages in memory. Further passages are read from the table when they are found. */
const MOST_BYTES = 2 ** 30;

/** Maximum number of passages that are read one by one. After that, all are read. */
const FEW_READS = 500;

/** The passages of rows, as UTF-8 outside of JavaScript's heap. */
export type PassageTexts = ReturnType<typeof createPassageTexts>;

/** Offset, length and checksum of each row's bytes, and the total number of bytes including gaps. */
export interface TextPlaces {
	readonly starts: Float64Array;
	/** 0 if the passage is not kept. */
	readonly lengths: Uint32Array;
	readonly sums: Uint32Array;
	readonly bytes: number;
}

/** The kind of a passage, determined when it is first needed. */
const UNSEEN = 0;
const RUNNING_TEXT = 1;
const OF_RESOURCE = 2;

interface StoredTexts extends TextPlaces {
	/** Absent if all texts are in memory. */
	readonly file?: TextFile;
}

const NOTHING: StoredTexts = {
	starts: new Float64Array(0),
	lengths: new Uint32Array(0),
	sums: new Uint32Array(0),
	bytes: 0,
};

type State = ReturnType<typeof createState>;

function createState({ starts, lengths, sums, bytes, file }: StoredTexts) {
	return {
		starts,
		lengths,
		sums,
		bytes,
		file,
		size: starts.length,
		reads: 0,
		reading: undefined as Promise<void> | undefined,
		/** `undefined` for a chunk that is only in the file. */
		chunks: new Array<Buffer | undefined>(Math.ceil(bytes / CHUNK)).fill(undefined),
		kinds: new Uint8Array(starts.length),
	};
}

/** Reads texts of a file on demand, and all of them after `FEW_READS`. */
export function createPassageTexts(stored = NOTHING) {
	const state = createState(stored);
	const passageAt = (row: number): Passage | undefined => {
		const bytes = kindOf(state, row) === UNSEEN ? NO_BYTES : bytesAt(state, row);
		return bytes.length === 0 ? undefined : decode(bytes.toString());
	};
	return {
		add: (passage: Passage) => {
			const encoded = encode(passage);
			addBytes(state, encoded, crc32(encoded));
		},
		passageAt,
		headAt: (row: number): PassageTopic | undefined => {
			if (kindOf(state, row) === RUNNING_TEXT) return NAMELESS;
			const bytes = kindOf(state, row) === UNSEEN ? NO_BYTES : bytesAt(state, row);
			return bytes.length === 0 ? undefined : decodeTopic(bytes);
		},
		copy: (from: TextPlaces & { bytesAt(row: number): Uint8Array }, row: number) =>
			addBytes(state, from.bytesAt(row), from.sums[row] ?? 0),
		bytesAt: (row: number): Uint8Array => bytesAt(state, row),
		get starts() {
			return state.starts.subarray(0, state.size);
		},
		get lengths() {
			return state.lengths.subarray(0, state.size);
		},
		get sums() {
			return state.sums.subarray(0, state.size);
		},
		get bytes() {
			return state.bytes;
		},
		/** Reads the rest of the file. Required before `parts`, and before texts are copied from here. */
		whole: () => whole(state),
		parts: (): Uint8Array[] =>
			state.chunks.map((_, index) => chunkAt(state, index).subarray(0, state.bytes - index * CHUNK)),
		/** Closes the file and drops passages that were not read from it. */
		close: () => close(state),
	};
}

function addBytes(state: State, added: Uint8Array, sum: number): void {
	const { length } = added;
	const isFull = (state.bytes % CHUNK) + length > CHUNK;
	const start = isFull ? Math.ceil(state.bytes / CHUNK) * CHUNK : state.bytes;
	const isKept = length > 0 && length <= CHUNK && start + length <= MOST_BYTES;
	if (isKept) {
		const index = Math.floor(start / CHUNK);
		if (index === state.chunks.length) state.chunks.push(Buffer.alloc(CHUNK));
		chunkAt(state, index).set(added, start % CHUNK);
		state.bytes = start + length;
	}
	const row = state.size++;
	state.starts = withRoomFor(state.starts, state.size);
	state.lengths = withRoomFor(state.lengths, state.size);
	state.sums = withRoomFor(state.sums, state.size);
	state.kinds = withRoomFor(state.kinds, state.size);
	state.starts[row] = start;
	state.lengths[row] = isKept ? length : 0;
	state.sums[row] = sum;
}

const NAMELESS: PassageTopic = {};

/** Returns `UNSEEN` if the row is not kept or the bytes do not match the checksum. */
function kindOf(state: State, row: number): number {
	const known = state.kinds[row];
	if (known !== UNSEEN || (state.lengths[row] ?? 0) === 0) return known ?? UNSEEN;
	const bytes = bytesAt(state, row);
	const isWhole = crc32(bytes) === state.sums[row];
	if (isWhole) state.kinds[row] = isNamed(bytes) ? OF_RESOURCE : RUNNING_TEXT;
	else state.lengths[row] = 0;
	return state.kinds[row] ?? UNSEEN;
}

/** Whether a passage verbalizes a resource, found without decoding: the fourth number of running text is 0. */
function isNamed(bytes: Uint8Array): boolean {
	let at = 0;
	for (let spaces = 0; spaces < 3 && at < bytes.length; at++) if (bytes[at] === SPACE) spaces++;
	return bytes[at] !== ZERO;
}

const NO_BYTES = Buffer.alloc(0);

/** Returns no bytes if the chunk cannot be read. */
function bytesAt(state: State, row: number): Buffer {
	const [start, length] = [state.starts[row] ?? 0, state.lengths[row] ?? 0];
	const place = start % CHUNK;
	const chunk = state.chunks[Math.floor(start / CHUNK)];
	if (chunk) return chunk.subarray(place, place + length);
	const bytes = state.file?.readNow(start, length) ?? NO_BYTES;
	if (++state.reads > FEW_READS) void whole(state);
	return bytes.length === length ? bytes : NO_BYTES;
}

/** Loads a chunk: the last chunk to add rows, or each chunk to write it. */
function chunkAt(state: State, index: number): Buffer {
	const known = state.chunks[index];
	if (known) return known;
	const chunk = Buffer.alloc(CHUNK);
	const wanted = Math.min(CHUNK, state.bytes - index * CHUNK);
	const read = state.file?.readNow(index * CHUNK, wanted) ?? NO_BYTES;
	if (read.copy(chunk) < wanted) void close(state);
	state.chunks[index] = chunk;
	return chunk;
}

function whole(state: State): Promise<void> {
	state.reading ??= readAll(state);
	return state.reading;
}

/** Reads all chunks at once, because questions in quick succession leave no time between two reads. */
async function readAll(state: State): Promise<void> {
	const { file, chunks, bytes } = state;
	const missing = file ? [...chunks.keys()].filter((index) => !chunks[index]) : [];
	await Promise.all(
		missing.map(async (index) => {
			const chunk = Buffer.alloc(CHUNK);
			const isRead = await file?.fill(chunk.subarray(0, bytes - index * CHUNK), index * CHUNK);
			if (isRead) chunks[index] ??= chunk;
		}),
	);
	await close(state);
}

async function close(state: State): Promise<void> {
	const { file, chunks, starts, lengths } = state;
	state.file = undefined;
	if (chunks.includes(undefined))
		for (let row = 0; row < state.size; row++)
			if (!chunks[Math.floor((starts[row] ?? 0) / CHUNK)]) lengths[row] = 0;
	await file?.close();
}

/** Writes the lengths of all parts (plus one for a resource) first, because splitting is faster than parsing JSON. */
function encode({ title, text, lines, resource, sections }: Passage): Buffer {
	const named = resource === undefined ? 0 : resource.length + 1;
	const spans = sections ? JSON.stringify(storeSpans(sections)) : "";
	const lengths = [title.length, lines.start, lines.end, named, spans.length].join(" ");
	return Buffer.from(`${lengths} ${title}${resource ?? ""}${spans}${text}`);
}

const ZERO = 48;
const SPACE = 32;

function decode(all: string): Passage {
	let at = 0;
	const next = () => {
		let number = 0;
		for (let code = all.charCodeAt(at++); code >= ZERO; code = all.charCodeAt(at++))
			number = 10 * number + code - ZERO;
		return number;
	};
	const [titled, start, end, named, spans] = [next(), next(), next(), next(), next()];
	const cut = (length: number) => {
		at += length;
		return all.slice(at - length, at);
	};
	const title = cut(titled);
	const resource = cut(Math.max(0, named - 1));
	const sections = readSpans(spans === 0 ? undefined : JSON.parse(cut(spans)));
	return { title, text: all.slice(at), lines: { start, end }, ...sections, ...(named > 0 && { resource }) };
}

const LONGEST_LENGTHS = 64;

/** Decodes the title and the resource only, from at most three bytes per UTF-16 code unit. */
function decodeTopic(bytes: Buffer): PassageTopic {
	const lengths = bytes.toString("latin1", 0, LONGEST_LENGTHS).split(" ", 5);
	const [titled, , , named] = lengths.map(Number) as [number, number, number, number];
	const start = lengths.reduce((sum, { length }) => sum + length + 1, 0);
	const end = titled + named - 1;
	return { resource: bytes.toString("utf8", start, start + 3 * end).slice(titled, end) };
}

export type TextFile = ReturnType<typeof createTextFile>;

/** Reads a file from the offset `first`. The file stays open, so that replacing it on disk changes nothing here. */
export function createTextFile(file: FileHandle, first: number) {
	return {
		/** Returns fewer bytes if the file cannot be read. */
		readNow: (start: number, length: number) => {
			const bytes = Buffer.allocUnsafe(length);
			try {
				return bytes.subarray(0, readSync(file.fd, bytes, 0, length, first + start));
			} catch {
				return bytes.subarray(0, 0);
			}
		},
		/** Fills `bytes`. Resolves to whether all of them could be read. */
		fill: async (bytes: Buffer, start: number) => {
			try {
				const { bytesRead } = await file.read(bytes, 0, bytes.length, first + start);
				return bytesRead === bytes.length;
			} catch {
				return false;
			}
		},
		close: () => file.close(),
	};
}
