import type { Match } from "../store.ts";
import { createBestMatches } from "./bestMatches.ts";
import { withRoomFor } from "./growable.ts";
import { createHammingKernel } from "./hammingKernel.ts";

/** Rows whose bytes lie in one piece. */
const PAGE_ROWS = 4096;

/** The memory of the kernel: the query's bits, the distances of some rows, and then the bits of all rows. */
const OUT = 32_768;
const OUT_ROWS = 16_384;
const BITS = 65_536;
const WASM_PAGE = 65_536;
const MOST_WASM_PAGES = 65_536;

/** Passages of a sample that says what cosines are typical. */
const SAMPLE_ROWS = 256;

/** Rows that are compared in full for one that is asked for. */
const RERANKED_PER_MATCH = 10;
const FEWEST_RERANKED = 1000;

export interface VectorQuery {
	readonly limit: number;
	/** 1 for every row that may be found. */
	readonly mask: Uint8Array;
}

/**
 * Unit vectors in memory, one for every row: their signs, of which the nearest are found by their Hamming distance,
 * and their numbers in 8 bits, by which these are ranked.
 */
export interface VectorRows {
	/** In the order of the rows. Zeros have no direction: such a row is never found. */
	add(vector: Float32Array): void;
	/** Best first, by their cosine. */
	match(vector: Float32Array, query: VectorQuery): Match[];
	/** The median cosine with an even sample of the rows of the mask; 0 where there are none. */
	medianCosine(vector: Float32Array, mask: Uint8Array): number;
	/** Copies a row of others to the end of these. */
	copy(from: VectorRows, row: number): void;
	/** The bytes of all rows, to be written, or to be read into after `resize`. */
	parts(): Uint8Array[];
	resize(rows: number): void;
	readonly scales: Float32Array;
	codesOf(row: number): Int8Array;
	bitsOf(row: number): Uint8Array;
}

export function createVectorRows(dimensions: number): VectorRows {
	const stride = Math.ceil(dimensions / 128) * 16;
	const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_WASM_PAGES });
	const kernel = createHammingKernel(memory);
	const pages: Int8Array[] = [];
	let scales = new Float32Array(0);
	let distances = new Uint16Array(0);
	let size = 0;
	const rows: VectorRows = {
		add(vector) {
			const row = size;
			resize(size + 1);
			scales[row] = quantise(vector, codesOf(row));
			writeSigns(vector, bitsOf(row));
		},
		match(vector, { limit, mask }) {
			const best = createBestMatches(limit);
			for (const row of nearest(vector, mask, Math.max(FEWEST_RERANKED, RERANKED_PER_MATCH * limit)))
				best.offer(row, cosine(vector, row));
			return best.matches((row) => row);
		},
		medianCosine(vector, mask) {
			const step = Math.max(1, size / SAMPLE_ROWS);
			const cosines: number[] = [];
			for (let place = 0; place < size; place += step) {
				const row = firstFrom(Math.floor(place), mask);
				if (row < size) cosines.push(cosine(vector, row));
			}
			return cosines.sort((a, b) => a - b)[cosines.length >> 1] ?? 0;
		},
		copy(from, row) {
			const to = size;
			resize(size + 1);
			scales[to] = from.scales[row] ?? 0;
			codesOf(to).set(from.codesOf(row));
			bitsOf(to).set(from.bitsOf(row));
		},
		parts: () => [
			new Uint8Array(memory.buffer, BITS, size * stride),
			new Uint8Array(scales.buffer, 0, size * scales.BYTES_PER_ELEMENT),
			...pages.map((page, index) => {
				const used = Math.min(PAGE_ROWS, size - index * PAGE_ROWS);
				return new Uint8Array(page.buffer, 0, used * dimensions);
			}),
		],
		resize,
		get scales() {
			return scales;
		},
		codesOf,
		bitsOf,
	};
	return rows;

	function resize(length: number): void {
		size = length;
		scales = withRoomFor(scales, size);
		while (pages.length * PAGE_ROWS < size) pages.push(new Int8Array(PAGE_ROWS * dimensions));
		const missing = BITS + size * stride - memory.buffer.byteLength;
		if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE) + 15);
	}

	function codesOf(row: number): Int8Array {
		const place = (row % PAGE_ROWS) * dimensions;
		return (pages[Math.floor(row / PAGE_ROWS)] ?? new Int8Array()).subarray(place, place + dimensions);
	}

	function bitsOf(row: number): Uint8Array {
		return new Uint8Array(memory.buffer, BITS + row * stride, stride);
	}

	/** At least so many rows of the mask, where there are so many: all up to the distance that leaves enough. */
	function nearest(vector: Float32Array, mask: Uint8Array, count: number): number[] {
		const counts = countDistances(vector, mask);
		let [farthest, found] = [-1, 0];
		while (found < count && farthest < dimensions) found += counts[++farthest] ?? 0;
		const nearby: number[] = [];
		for (let row = 0; row < size; row++)
			if ((distances[row] ?? 0) <= farthest && mask[row] === 1 && scales[row] !== 0) nearby.push(row);
		return nearby;
	}

	/** How many rows of the mask are at each distance. */
	function countDistances(vector: Float32Array, mask: Uint8Array): Uint32Array {
		const counts = new Uint32Array(dimensions + 1);
		const query = new Uint8Array(memory.buffer, 0, stride);
		query.fill(0);
		writeSigns(vector, query);
		distances = withRoomFor(distances, size);
		for (let first = 0; first < size; first += OUT_ROWS) {
			const length = Math.min(OUT_ROWS, size - first);
			const start = BITS + first * stride;
			kernel.distances(0, start, start + length * stride, stride, OUT);
			distances.set(new Uint16Array(memory.buffer, OUT, length), first);
		}
		for (let row = 0; row < size; row++) {
			const distance = distances[row] ?? 0;
			if (mask[row] === 1 && scales[row] !== 0) counts[distance] = (counts[distance] ?? 0) + 1;
		}
		return counts;
	}

	function cosine(vector: Float32Array, row: number): number {
		const page = pages[Math.floor(row / PAGE_ROWS)] ?? new Int8Array();
		const start = (row % PAGE_ROWS) * dimensions;
		let sum = 0;
		for (let d = 0; d < dimensions; d++) sum += (vector[d] ?? 0) * (page[start + d] ?? 0);
		return sum * (scales[row] ?? 0);
	}

	function firstFrom(start: number, mask: Uint8Array): number {
		let row = start;
		while (row < size && (mask[row] !== 1 || scales[row] === 0)) row++;
		return row;
	}
}

/** Writes the numbers in steps of the scale that it returns; 0 for zeros. */
function quantise(vector: Float32Array, codes: Int8Array): number {
	let largest = 0;
	for (const value of vector) largest = Math.max(largest, Math.abs(value));
	const scale = largest / 127;
	if (scale > 0) for (let d = 0; d < codes.length; d++) codes[d] = Math.round((vector[d] ?? 0) / scale);
	return scale;
}

/** One bit for every number that is above zero. */
function writeSigns(vector: Float32Array, bits: Uint8Array): void {
	for (let d = 0; d < vector.length; d++)
		if ((vector[d] ?? 0) > 0) bits[d >> 3] = (bits[d >> 3] ?? 0) | (1 << (d & 7));
}
