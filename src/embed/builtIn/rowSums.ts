import { op } from "../../base/wasm/instructions.ts";
import { createWasmMemory } from "../../base/wasm/memory.ts";
import { instantiate } from "../../base/wasm/module.ts";
import type { QuantisedMatrix } from "./safetensors.ts";

/** Adds rows of a matrix up, sixteen numbers at a time. */
export interface RowSums {
	/**
	 * The sum of rows of the matrix, each as often as `times` says of it, whose numbers `rows` lists once each.
	 * Written into `into`, which has a number for every column.
	 */
	add(rows: readonly number[], times: Uint32Array, into: Float32Array): void;
}

/** Bytes of an entry: a row's address, and what its numbers are multiplied by. */
const ENTRY_BYTES = 8;

/** Columns that are added at once. */
const LANES = 16;

interface Kernel {
	/** Addresses in bytes; `stride` is a row's length, a multiple of 16. Writes a 32-bit float for every byte of a row. */
	sum(entry: number, end: number, stride: number, out: number): void;
}

/** In the memory lie the rows, the sums, and the entries, of which there are at most as many as rows. */
export function createRowSums({ rows, columns, weights, scales }: QuantisedMatrix): RowSums {
	const stride = Math.ceil(columns / LANES) * LANES;
	const out = rows * stride;
	const entries = out + stride * Float32Array.BYTES_PER_ELEMENT;
	const memory = createWasmMemory(entries + rows * ENTRY_BYTES);
	const { sum } = instantiate([SUM], memory) as unknown as Kernel;
	const bytes = new Int8Array(memory.buffer);
	for (let row = 0; row < rows; row++)
		bytes.set(weights.subarray(row * columns, (row + 1) * columns), row * stride);
	const addresses = new Uint32Array(memory.buffer, entries, 2 * rows);
	const factors = new Float32Array(memory.buffer, entries, 2 * rows);
	const sums = new Float32Array(memory.buffer, out, columns);
	return {
		add: (added, times, into) => {
			for (let index = 0; index < added.length; index++) {
				const row = added[index] as number;
				addresses[2 * index] = row * stride;
				factors[2 * index + 1] = (scales[row] as number) * (times[row] as number);
			}
			sum(entries, entries + added.length * ENTRY_BYTES, stride, out);
			into.set(sums);
		},
	};
}

/** Parameters, in their order, and variables. */
const [ENTRIES, END, STRIDE, OUT, PLACE, ENTRY, CODES, FACTOR] = [0, 1, 2, 3, 4, 5, 6, 7];

/** The four sums of four, and how their numbers come out of sixteen bytes. */
const PARTS = [
	{ sum: 8, numbers: [op.lower8As16, op.lower16As32] },
	{ sum: 9, numbers: [op.lower8As16, op.upper16As32] },
	{ sum: 10, numbers: [op.upper8As16, op.lower16As32] },
	{ sum: 11, numbers: [op.upper8As16, op.upper16As32] },
];

/** For every sixteen columns: the sums begin with zeros, all entries are added, and the sums are stored. */
const SUM = {
	name: "sum",
	parameters: 4,
	numbers: 2,
	vectors: 6,
	code: [
		...[op.i32(0), op.set(PLACE)],
		op.loop,
		...PARTS.map(({ sum }) => [op.i32(0), op.splat8, op.set(sum)].flat()),
		...[op.get(ENTRIES), op.set(ENTRY)],
		...[op.block, op.loop],
		...[op.get(ENTRY), op.get(END), op.atLeast, op.branchIf(1)],
		...[op.get(ENTRY), op.load32, op.get(PLACE), op.add, op.load128(), op.set(CODES)],
		...[op.get(ENTRY), op.load32IntoAll(4), op.set(FACTOR)],
		...PARTS.map(({ sum, numbers }) =>
			[
				...[op.get(CODES), ...numbers, op.floatsOf32],
				...[op.get(FACTOR), op.multiplyFloats, op.get(sum), op.addFloats, op.set(sum)],
			].flat(),
		),
		...[op.get(ENTRY), op.i32(ENTRY_BYTES), op.add, op.set(ENTRY)],
		...[op.branch(0), op.end, op.end],
		...PARTS.map(({ sum }, part) =>
			[
				...[op.get(PLACE), op.i32(2), op.shiftLeft, op.get(OUT), op.add],
				...[op.get(sum), op.store128(16 * part)],
			].flat(),
		),
		...[op.get(PLACE), op.i32(LANES), op.add, op.tee(PLACE), op.get(STRIDE), op.lessThan, op.branchIf(0)],
		...[op.end, op.end],
	].flat(),
};
