import { createKernels } from "../../base/kernels/kernels.ts";
import { createWasmMemory, WASM_PAGE } from "../../base/kernels/memory.ts";
import type { QuantizedMatrix } from "./safetensors.ts";

/** Adds rows of a matrix up, sixteen numbers at a time. */
export interface RowSums {
	/**
	 * The sum of rows of the matrix, each as often as `times` says of it, whose numbers `rows` lists once each.
	 * Written into `into`, which has a number for every column.
	 */
	add(rows: readonly number[], times: Uint32Array, into: Float32Array): void;
	/** Takes the rows in that come behind those that are there, as far as there are scales for them. */
	append(weights: Int8Array): void;
}

/** Bytes of an entry: a row's address, and what its numbers are multiplied by. */
const ENTRY_BYTES = 8;

/** Columns that are added at once. */
const LANES = 16;

/** In the memory lie the sums, the entries, of which there are at most as many as scales, and the rows. */
export function createRowSums({ columns, weights, scales }: Omit<QuantizedMatrix, "rows">): RowSums {
	const stride = Math.ceil(columns / LANES) * LANES;
	const entries = stride * Float32Array.BYTES_PER_ELEMENT;
	const first = Math.ceil((entries + scales.length * ENTRY_BYTES) / LANES) * LANES;
	const memory = createWasmMemory(first);
	const { sumRows } = createKernels(memory);
	let end = first;
	let views = viewsOf(memory.buffer);
	append(weights);
	return { append, add };

	function add(added: readonly number[], times: Uint32Array, into: Float32Array): void {
		const { addresses, factors, sums } = views;
		for (let index = 0; index < added.length; index++) {
			const row = added[index] as number;
			addresses[2 * index] = first + row * stride;
			factors[2 * index + 1] = (scales[row] as number) * (times[row] as number);
		}
		sumRows(entries, entries + added.length * ENTRY_BYTES, stride, 0);
		into.set(sums);
	}

	function append(more: Int8Array): void {
		const rows = more.length / columns;
		const missing = end + rows * stride - memory.buffer.byteLength;
		if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
		const bytes = new Int8Array(memory.buffer);
		if (stride === columns) bytes.set(more, end);
		else
			for (let row = 0; row < rows; row++)
				bytes.set(more.subarray(row * columns, (row + 1) * columns), end + row * stride);
		end += rows * stride;
		views = viewsOf(memory.buffer);
	}

	function viewsOf(buffer: ArrayBuffer) {
		return {
			addresses: new Uint32Array(buffer, entries, 2 * scales.length),
			factors: new Float32Array(buffer, entries, 2 * scales.length),
			sums: new Float32Array(buffer, 0, columns),
		};
	}
}
