import { createKernels, type Kernels } from "../base/kernels/kernels.ts";
import { createWasmMemory, WASM_PAGE } from "../base/kernels/wasmMemory.ts";
import { withRoomFor } from "./growable.ts";

const LARGEST_CODE = 127;

/** Quantizes a vector: the largest number gets the largest code. Returns the value of one step; 0 for zeros. */
export function quantize(vector: Float32Array, codes: Int8Array | Int16Array, largestCode = LARGEST_CODE) {
	let largest = 0;
	for (const value of vector) largest = Math.max(largest, Math.abs(value));
	const step = largest / largestCode;
	if (step > 0) for (let d = 0; d < vector.length; d++) codes[d] = Math.round((vector[d] as number) / step);
	return step;
}

/** Factor that turns codes into a unit vector; 0 for zeros. Quantizing the unit vector gives the same codes. */
function scaleOf(codes: Int8Array): number {
	let sum = 0;
	for (let d = 0; d < codes.length; d++) sum += (codes[d] as number) * (codes[d] as number);
	return sum > 0 ? 1 / Math.sqrt(sum) : 0;
}

/** The unit vector of the mean; zeros if the mean has no direction, empty without vectors. */
export function centreOf(vectors: readonly Float32Array[]): Float32Array {
	const centre = new Float32Array(vectors[0]?.length ?? 0);
	for (const vector of vectors)
		for (let d = 0; d < centre.length; d++) centre[d] = (centre[d] as number) + (vector[d] as number);
	const length = Math.hypot(...centre) || 1;
	return centre.map((value) => value / length);
}

/** The unit vector of codes, or zeros. Uses a loop, because `Float32Array.from` takes nine times as long. */
export function unitOf(codes: Int8Array): Float32Array {
	const scale = scaleOf(codes);
	const unit = new Float32Array(codes.length);
	for (let d = 0; d < codes.length; d++) unit[d] = (codes[d] as number) * scale;
	return unit;
}

/** Rows per block. A block has the signs of all rows (1 bit per number), then the codes (8 bits per number). */
const BLOCK_ROWS = 4096;

const BATCH_ROWS = BLOCK_ROWS;

const SAMPLED_ROWS = BLOCK_ROWS / 16;

/** Offsets in bytes before the blocks. */
const QUERY_SIGNS = 0;
const QUERY_CODES = 8192;
const ADDRESSES = 262_144;
const OUT = ADDRESSES + 4 * BATCH_ROWS;
const BLOCKS = OUT + 4 * BATCH_ROWS;

const LARGEST_SUM = 2 ** 31 - 1;
const LARGEST_QUERY_CODE = 32_767;

/** A vector is `codes` times a scale, which is kept elsewhere. */
interface StoredVector {
	readonly codes: Int8Array;
	readonly signs: Uint8Array;
}

/** Ascending rows and their distances, of which the first `size` are valid. The next search overwrites these arrays. */
export interface NearRows {
	rows: Uint32Array;
	distances: Uint16Array;
	size: number;
}

type Layout = ReturnType<typeof layoutOf>;

function layoutOf(dimensions: number) {
	const signBytes = Math.ceil(dimensions / 128) * 16;
	const codeBytes = 8 * signBytes;
	const blockBytes = BLOCK_ROWS * (signBytes + codeBytes);
	const blockOf = (row: number) => BLOCKS + Math.floor(row / BLOCK_ROWS) * blockBytes;
	return {
		signBytes,
		codeBytes,
		signsOf: (row: number) => blockOf(row) + (row % BLOCK_ROWS) * signBytes,
		codesOf: (row: number) => blockOf(row) + BLOCK_ROWS * signBytes + (row % BLOCK_ROWS) * codeBytes,
		endOf: (row: number) => blockOf(row) + blockBytes,
	};
}

/** Vectors of equal length in the kernels' memory, quantized to 8 bits and to 1 bit per number. */
export function createVectorMemory(dimensions: number) {
	const memory = createWasmMemory(BLOCKS);
	const kernels = createKernels(memory);
	const layout = layoutOf(dimensions);
	const { signBytes, codeBytes, signsOf, codesOf } = layout;
	const found: NearRows = { rows: new Uint32Array(0), distances: new Uint16Array(0), size: 0 };
	return {
		resize: (rows: number) => {
			const missing = layout.endOf(Math.max(0, rows - 1)) - memory.buffer.byteLength;
			if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
		},
		/** A view that is valid until the next `resize`. */
		rowAt: (row: number) => ({
			codes: new Int8Array(memory.buffer, codesOf(row), dimensions),
			signs: new Uint8Array(memory.buffer, signsOf(row), signBytes),
		}),
		parts: (rows: number) =>
			blocks(rows).flatMap(({ first, count }) => [
				new Uint8Array(memory.buffer, signsOf(first), count * signBytes),
				new Uint8Array(memory.buffer, codesOf(first), count * codeBytes),
			]),
		/** Those of the first `rows` rows whose signs have at most the Hamming distance `most` from the query's signs. */
		near: (query: Float32Array, rows: number, most: number) =>
			near({ ...bytes(), found }, query, blocks(rows), most),
		/** Hamming distances from the query of a sixteenth of the first `rows` rows: the beginning of each block. */
		sample: (query: Float32Array, rows: number) => {
			const parts = blocks(rows).map(({ first, count }) => ({ first, count: Math.min(count, SAMPLED_ROWS) }));
			return near({ ...bytes(), found }, query, parts, dimensions);
		},
		/** Dot products of the rows' codes with the query, quantized to 16 bits, or 12 for thousands of dimensions. */
		products: (query: Float32Array, rows: Uint32Array) => products(bytes(), query, rows),
	};

	function bytes(): Rows {
		return { kernels, buffer: memory.buffer, layout };
	}
}

interface Rows {
	readonly kernels: Kernels;
	readonly buffer: ArrayBuffer;
	readonly layout: Layout;
}

function near(
	{ kernels, buffer, layout, found }: Rows & { readonly found: NearRows },
	query: Float32Array,
	parts: readonly Part[],
	most: number,
): NearRows {
	const { signBytes, signsOf } = layout;
	const signs = new Uint8Array(buffer, QUERY_SIGNS, signBytes);
	signs.fill(0);
	writeSigns(query, signs);
	found.size = 0;
	const distances = new Uint16Array(buffer, OUT);
	const places = new Uint32Array(buffer, ADDRESSES, BATCH_ROWS);
	for (const { first, count } of parts) {
		const start = signsOf(first);
		kernels.distances(QUERY_SIGNS, start, start + count * signBytes, signBytes, OUT);
		const many = kernels.within(OUT, OUT + count * Uint16Array.BYTES_PER_ELEMENT, most, ADDRESSES);
		const rows = withRoomFor(found.rows, found.size + many);
		const kept = withRoomFor(found.distances, found.size + many);
		let { size } = found;
		for (let index = 0; index < many && (places[index] as number) < count; index++) {
			const place = places[index] as number;
			rows[size] = first + place;
			kept[size++] = distances[place] as number;
		}
		Object.assign(found, { rows, distances: kept, size });
	}
	return found;
}

function products({ kernels, buffer, layout }: Rows, query: Float32Array, rows: Uint32Array): Float32Array {
	const { codeBytes, codesOf } = layout;
	const step = writeQuery(query, new Int16Array(buffer, QUERY_CODES, codeBytes));
	const result = new Float32Array(rows.length);
	const addresses = new Uint32Array(buffer, ADDRESSES, BATCH_ROWS);
	const sums = new Int32Array(buffer, OUT, BATCH_ROWS);
	for (let first = 0; first < rows.length; first += BATCH_ROWS) {
		const count = Math.min(BATCH_ROWS, rows.length - first);
		for (let index = 0; index < count; index++) addresses[index] = codesOf(rows[first + index] as number);
		kernels.products(QUERY_CODES, ADDRESSES, ADDRESSES + 4 * count, codeBytes, OUT);
		for (let index = 0; index < count; index++) result[first + index] = (sums[index] as number) * step;
	}
	return result;
}

/** Quantizes the query so that no sum overflows. Returns the value of one step. */
function writeQuery(query: Float32Array, codes: Int16Array): number {
	codes.fill(0);
	const largest = Math.floor(LARGEST_SUM / (LARGEST_CODE * codes.length));
	return quantize(query, codes, Math.min(LARGEST_QUERY_CODE, largest));
}

interface Part {
	readonly first: number;
	readonly count: number;
}

function blocks(rows: number): Part[] {
	return Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) => {
		const first = block * BLOCK_ROWS;
		return { first, count: Math.min(BLOCK_ROWS, rows - first) };
	});
}

/** Writes codes and signs. Returns the factor that turns the codes into a unit vector. */
export function writeVector(vector: Float32Array, { codes, signs }: StoredVector): number {
	quantize(vector, codes);
	writeSigns(codes, signs);
	return scaleOf(codes);
}

/** Sets one bit per positive number. Requires `signs` to be zero. */
function writeSigns(vector: Float32Array | Int8Array, signs: Uint8Array): void {
	for (let d = 0; d < vector.length; d++)
		if ((vector[d] as number) > 0) signs[d >> 3] = (signs[d >> 3] as number) | (1 << (d & 7));
}
