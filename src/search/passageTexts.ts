import type { Passage } from "../core/knowledge/document.ts";
import { withRoomFor } from "./growable.ts";

/** Bytes of one piece of memory. No passage lies in two. */
const CHUNK = 2 ** 20;

/** Bytes of all passages together; those beyond are read from the table when they are found. */
const MOST_BYTES = 2 ** 30;

/** The passages of rows, as UTF-8 and out of JavaScript's heap. */
export interface PassageTexts {
	/** The next row's. */
	add(passage: Passage): void;
	/** `undefined` for one that is not kept. */
	passageAt(row: number): Passage | undefined;
	/** What it verbalizes, without its text; `undefined` for one that is not kept. */
	headAt(row: number): Pick<Passage, "resource"> | undefined;
	/** The next row's as it is in others. */
	copy(from: PassageTexts, row: number): void;
	bytesAt(row: number): Uint8Array;
	/** Where the rows' bytes are, all bytes together, and how many they are with the gaps between them. */
	readonly starts: Float64Array;
	readonly lengths: Uint32Array;
	readonly bytes: number;
	parts(): Uint8Array[];
}

interface State {
	readonly chunks: Buffer[];
	bytes: number;
	size: number;
	starts: Float64Array;
	/** 0 for one that is not kept. */
	lengths: Uint32Array;
}

/** Reserves rows and their bytes, to be filled through `starts`, `lengths` and `parts`. */
export function createPassageTexts(rows = 0, bytes = 0): PassageTexts {
	const state: State = {
		chunks: Array.from({ length: Math.ceil(bytes / CHUNK) }, () => Buffer.alloc(CHUNK)),
		bytes,
		size: rows,
		starts: new Float64Array(rows),
		lengths: new Uint32Array(rows),
	};
	const passageAt = (row: number) => (isKept(state, row) ? decode(stringAt(state, row)) : undefined);
	return {
		add: (passage) => addBytes(state, encode(passage)),
		passageAt,
		headAt: (row) => (isKept(state, row) && !isNamed(state, row) ? RUNNING_TEXT : passageAt(row)),
		copy: (from, row) => addBytes(state, from.bytesAt(row)),
		bytesAt: (row) => bytesAt(state, row),
		get starts() {
			return state.starts.subarray(0, state.size);
		},
		get lengths() {
			return state.lengths.subarray(0, state.size);
		},
		get bytes() {
			return state.bytes;
		},
		parts: () => state.chunks.map((chunk, index) => chunk.subarray(0, state.bytes - index * CHUNK)),
	};
}

function addBytes(state: State, added: Uint8Array): void {
	const { length } = added;
	const isFull = (state.bytes % CHUNK) + length > CHUNK;
	const start = isFull ? Math.ceil(state.bytes / CHUNK) * CHUNK : state.bytes;
	const isKept = length <= CHUNK && start + length <= MOST_BYTES;
	state.starts = withRoomFor(state.starts, state.size + 1);
	state.lengths = withRoomFor(state.lengths, state.size + 1);
	state.starts[state.size] = start;
	state.lengths[state.size++] = isKept ? length : 0;
	if (!isKept) return;
	state.bytes = start + length;
	while (state.chunks.length * CHUNK < state.bytes) state.chunks.push(Buffer.alloc(CHUNK));
	state.chunks[Math.floor(start / CHUNK)]?.set(added, start % CHUNK);
}

function isKept({ lengths }: State, row: number): boolean {
	return (lengths[row] ?? 0) > 0;
}

const RUNNING_TEXT: Pick<Passage, "resource"> = {};

/** Running text has a zero as its fourth number: to know that, nothing must be decoded. */
function isNamed({ chunks, starts }: State, row: number): boolean {
	const start = starts[row] ?? 0;
	const chunk = chunks[Math.floor(start / CHUNK)];
	let at = start % CHUNK;
	for (let spaces = 0; spaces < 3 && at < CHUNK; at++) if (chunk?.[at] === SPACE) spaces++;
	return chunk?.[at] !== ZERO;
}

function stringAt({ chunks, starts, lengths }: State, row: number): string {
	const start = starts[row] ?? 0;
	const place = start % CHUNK;
	return chunks[Math.floor(start / CHUNK)]?.toString("utf8", place, place + (lengths[row] ?? 0)) ?? "";
}

function bytesAt({ chunks, starts, lengths }: State, row: number): Buffer {
	const start = starts[row] ?? 0;
	const place = start % CHUNK;
	const chunk = chunks[Math.floor(start / CHUNK)] ?? Buffer.alloc(0);
	return chunk.subarray(place, place + (lengths[row] ?? 0));
}

/** In front stands how long each part is, plus one for a resource: to cut a string up is quicker than to parse JSON. */
function encode({ title, text, lines, resource }: Passage): Buffer {
	const named = resource === undefined ? 0 : resource.length + 1;
	return Buffer.from(`${title.length} ${lines.start} ${lines.end} ${named} ${title}${resource ?? ""}${text}`);
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
	const [titled, start, end, named] = [next(), next(), next(), next()];
	const first = at + titled;
	const behind = first + Math.max(0, named - 1);
	const title = all.slice(at, first);
	const passage = { title, text: all.slice(behind), lines: { start, end } };
	return named > 0 ? { ...passage, resource: all.slice(first, behind) } : passage;
}
