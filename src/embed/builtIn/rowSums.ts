import { createKernels } from "../../base/kernels/kernels.ts";
import { createWasmMemory } from "../../base/kernels/memory.ts";
import type { QuantizedMatrix } from "./safetensors.ts";

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

/** In the memory lie the rows, the sums, and the entries, of which there are at most as many as rows. */
export function createRowSums({ rows, columns, weights, scales }: QuantizedMatrix): RowSums {
	const stride = Math.ceil(columns / LANES) * LANES;
	const out = rows * stride;
	const entries = out + stride * Float32Array.BYTES_PER_ELEMENT;
	const memory = createWasmMemory(entries + rows * ENTRY_BYTES);
	const { sumRows } = createKernels(memory);
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
			sumRows(entries, entries + added.length * ENTRY_BYTES, stride, out);
			into.set(sums);
		},
	};
}
