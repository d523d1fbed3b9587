import { type ComesBefore, createBestMatches } from "../base/words/bestMatches.ts";
import { withRoomFor } from "./growable.ts";
import type { Match } from "./match.ts";
import { centreOf, createVectorMemory, type NearRows, unitOf, writeVector } from "./vectorMemory.ts";

const SAMPLED_ROWS = 256;

/**
 * Number of rows, nearest by signs, that are then ranked by codes: minimum, number per wanted match, share of all,
 * maximum. Measured with the built-in model on 28,631 passages: 99.1 % of the true best 100 are among the nearest
 * 2,000.
 */
const FEWEST_RERANKED = 2000;
const RERANKED_PER_MATCH = 20;
const RERANKED_SHARE = 1 / 16;
const MOST_RERANKED = 8000;

/** The search first aims for this multiple of the wanted rows. */
const MARGIN = 1.2;
/** Bits by which the distance is increased if too few rows are found. */
const WIDER = 4;

interface VectorQuery {
	readonly limit: number;
	/** Per row: 1 if the row may be found. */
	readonly mask: Uint8Array;
	/** Number of rows that may be found; counted if absent. */
	readonly allowed?: number;
	readonly comesBefore: ComesBefore;
}

/** Unit vectors by row. The Hamming distance of signs finds the nearest rows, and 8-bit codes rank them. */
export type VectorRows = ReturnType<typeof createVectorRows>;

interface Sample {
	readonly size: number;
	readonly of: number;
	readonly rows: Uint32Array;
}

type State = ReturnType<typeof createState>;

function createState(dimensions: number) {
	return {
		dimensions,
		memory: createVectorMemory(dimensions),
		scales: new Float32Array(0),
		size: 0,
		samples: new WeakMap<Uint8Array, Sample>(),
	};
}

export function createVectorRows(dimensions: number) {
	const state = createState(dimensions);
	const next = () => {
		resize(state, state.size + 1);
		return state.size - 1;
	};
	/** A vector is `codes` times `scale`, which is 0 if the vector has no direction. */
	const rowAt = (row: number) => ({ ...state.memory.rowAt(row), scale: state.scales[row] ?? 0 });
	return {
		/** Adds the next row. A vector that is empty or has only zeros is never found. */
		add: (vector: Float32Array) => {
			const row = next();
			state.scales[row] = writeVector(vector, state.memory.rowAt(row));
		},
		/** Best first, by cosine. */
		match: (vector: Float32Array, query: VectorQuery) => match(state, vector, query),
		/** Cosines by row. Omits rows without direction. */
		cosines: (vector: Float32Array, rows: readonly number[]) => {
			const directed = rows.filter((row) => row >= 0 && row < state.size && state.scales[row] !== 0);
			const values = cosines(state, vector, new Uint32Array(directed));
			const found = new Map<number, number>();
			for (const [index, row] of directed.entries()) found.set(row, values[index] as number);
			return found;
		},
		centreOf: (rows: readonly number[]) =>
			centreOf(rows.filter((row) => row < state.size).map((row) => unitOf(rowAt(row).codes))),
		/** Median cosine of a sample of the mask's rows; 0 if the mask is empty. */
		medianCosine: (vector: Float32Array, mask: Uint8Array) => medianCosine(state, vector, mask),
		copy: (from: { readonly rowAt: typeof rowAt }, other: number) => {
			const row = next();
			const [source, target] = [from.rowAt(other), state.memory.rowAt(row)];
			state.scales[row] = source.scale;
			target.codes.set(source.codes);
			target.signs.set(source.signs);
		},
		dimensions,
		resize: (rows: number) => resize(state, rows),
		/** Views of the bytes of all rows, to write them or, after `resize`, to fill them. */
		parts: () => [
			new Uint8Array(state.scales.buffer, 0, state.size * state.scales.BYTES_PER_ELEMENT),
			...state.memory.parts(state.size),
		],
		rowAt,
	};
}

function resize(state: State, rows: number): void {
	state.size = rows;
	state.scales = withRoomFor(state.scales, rows);
	state.memory.resize(rows);
}

function match(state: State, vector: Float32Array, query: VectorQuery): Match[] {
	const limit = Math.min(query.limit, state.size);
	const best = createBestMatches(limit, query.comesBefore);
	const rows = nearest(state, vector, query);
	const scores = cosines(state, vector, rows);
	const least = reachedBy(scores, limit);
	for (let index = 0; index < rows.length; index++) {
		const score = scores[index] as number;
		if (score >= least) best.offer(rows[index] as number, score);
	}
	return best.matches();
}

const HISTOGRAM_STEPS = 512;

/** A cosine that at least `limit` rows reach, and few more. A histogram is faster than sorting. */
function reachedBy(scores: Float32Array, limit: number): number {
	const counts = new Uint32Array(2 * HISTOGRAM_STEPS);
	for (let index = 0; index < scores.length; index++) {
		const step = Math.floor((scores[index] as number) * HISTOGRAM_STEPS) + HISTOGRAM_STEPS;
		const place = Math.max(0, Math.min(2 * HISTOGRAM_STEPS - 1, step));
		counts[place] = (counts[place] as number) + 1;
	}
	let found = 0;
	for (let place = 2 * HISTOGRAM_STEPS - 1; place > 0; place--) {
		found += counts[place] as number;
		if (found >= limit) return (place - HISTOGRAM_STEPS) / HISTOGRAM_STEPS;
	}
	return Number.NEGATIVE_INFINITY;
}

/** The rows of the mask that are ranked: all within some Hamming distance. Removed rows do not affect the number. */
function nearest(state: State, vector: Float32Array, { mask, limit, allowed = sumOf(mask) }: VectorQuery) {
	const { memory, size, dimensions } = state;
	const share = Math.min(MOST_RERANKED, RERANKED_SHARE * allowed);
	const wanted = Math.max(FEWEST_RERANKED, RERANKED_PER_MATCH * limit, share);
	if (allowed <= wanted) return Uint32Array.from(rowsIn(state, mask));
	const guessed = sift(memory.sample(vector, size), state, mask);
	const part = (MARGIN * wanted * sumOf(guessed)) / allowed;
	for (let most = reachOf(guessed, part) ?? dimensions; ; most = Math.min(dimensions, most + WIDER)) {
		const near = memory.near(vector, size, most);
		const reach = reachOf(sift(near, state, mask), wanted);
		if (reach !== undefined || most === dimensions) return within(near, reach ?? dimensions);
	}
}

/** Keeps rows of the mask that have a direction. Returns the number of rows at each distance. */
function sift(near: NearRows, { scales, dimensions }: State, mask: Uint8Array): Uint32Array {
	const { rows, distances, size } = near;
	const counts = new Uint32Array(dimensions + 1);
	let kept = 0;
	for (let index = 0; index < size; index++) {
		const [row, distance] = [rows[index] as number, distances[index] as number];
		if (mask[row] !== 1 || scales[row] === 0) continue;
		counts[distance] = (counts[distance] as number) + 1;
		rows[kept] = row;
		distances[kept++] = distance;
	}
	near.size = kept;
	return counts;
}

function within({ rows, distances, size }: NearRows, reach: number): Uint32Array {
	const found = new Uint32Array(size);
	let many = 0;
	for (let index = 0; index < size; index++)
		if ((distances[index] as number) <= reach) found[many++] = rows[index] as number;
	return found.subarray(0, many);
}

function rowsIn({ scales, size }: State, mask: Uint8Array): number[] {
	const rows: number[] = [];
	for (let row = 0; row < size; row++) if (mask[row] === 1 && scales[row] !== 0) rows.push(row);
	return rows;
}

function sumOf(numbers: Uint8Array | Uint32Array): number {
	let sum = 0;
	for (let index = 0; index < numbers.length; index++) sum += numbers[index] as number;
	return sum;
}

function reachOf(counts: Uint32Array, wanted: number): number | undefined {
	let found = 0;
	for (let distance = 0; distance < counts.length; distance++) {
		found += counts[distance] as number;
		if (found >= wanted) return distance;
	}
	return undefined;
}

function medianCosine(state: State, vector: Float32Array, mask: Uint8Array): number {
	const rows = sampleOf(state, mask);
	return cosines(state, vector, rows).sort()[rows.length >> 1] ?? 0;
}

/** A sample of the rows, cached by mask because hashing all rows takes long. */
function sampleOf(state: State, mask: Uint8Array): Uint32Array {
	const all = rowsIn(state, mask);
	if (all.length <= SAMPLED_ROWS) return Uint32Array.from(all);
	const { size, samples } = state;
	const sample = samples.get(mask);
	if (sample?.size === size && sample.of === all.length) return sample.rows;
	const part = (SAMPLED_ROWS / all.length) * 2 ** 32;
	const chosen = all.filter((row) => hashOf(state, row) < part);
	// The sample may be empty, because equal vectors are all in it or all not.
	const rows = Uint32Array.from(chosen.length > 0 ? chosen : all.slice(0, 1));
	samples.set(mask, { size, of: all.length, rows });
	return rows;
}

/** FNV-1a hash of a vector, 32 bits, so that samples keep their vectors while other rows come and go. */
function hashOf({ memory }: State, row: number): number {
	let hash = 0x811c9dc5;
	for (const code of memory.rowAt(row).codes.subarray(0, 16))
		hash = Math.imul(hash ^ (code & 0xff), 0x01000193);
	return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

function cosines({ memory, scales }: State, vector: Float32Array, rows: Uint32Array): Float32Array {
	const products = memory.products(vector, rows);
	for (let index = 0; index < rows.length; index++)
		products[index] = (products[index] as number) * (scales[rows[index] as number] as number);
	return products;
}
