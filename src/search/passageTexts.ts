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
	return {
		add: (passage) => addBytes(state, encode(passage)),
		passageAt: (row) => ((state.lengths[row] ?? 0) > 0 ? decode(bytesAt(state, row)) : undefined),
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

function bytesAt({ chunks, starts, lengths }: State, row: number): Buffer {
	const start = starts[row] ?? 0;
	const place = start % CHUNK;
	const chunk = chunks[Math.floor(start / CHUNK)] ?? Buffer.alloc(0);
	return chunk.subarray(place, place + (lengths[row] ?? 0));
}

/** How long what comes before the text is stands in front: to cut a string up is quicker than to parse JSON. */
function encode({ title, text, lines, resource }: Passage): Buffer {
	const head = [title.length, lines.start, lines.end, resource?.length ?? NO_RESOURCE].join(" ");
	return Buffer.from(`${head}\n${title}${resource ?? ""}${text}`);
}

const NO_RESOURCE = -1;

function decode(bytes: Buffer): Passage {
	const all = bytes.toString();
	const first = all.indexOf("\n") + 1;
	const [titled = 0, start = 0, end = 0, named = NO_RESOURCE] = all.slice(0, first).split(" ").map(Number);
	const behind = first + titled + Math.max(0, named);
	return {
		title: all.slice(first, first + titled),
		text: all.slice(behind),
		lines: { start, end },
		...(named !== NO_RESOURCE && { resource: all.slice(first + titled, behind) }),
	};
}
