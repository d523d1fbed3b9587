import { COMPILED } from "./compiled.ts";
import { instantiate, type WasmMemory } from "./wasmMemory.ts";

/** The loops of `assembly/kernels.ts`. Addresses, lengths and `stride` (a multiple of 16) are in bytes. */
export interface Kernels {
	/** Hamming distances between the query and every row of bits from `row` to `end`: 16 bits each. */
	distances(query: number, row: number, end: number, stride: number, out: number): void;
	/** Writes the 32-bit indices of 16-bit distances of at most `most`; some may lie past `end`. Returns their number. */
	within(place: number, end: number, most: number, out: number): number;
	/** 32-bit products of the query's 16-bit codes with the rows of 8-bit codes at the 32-bit addresses. */
	products(query: number, place: number, end: number, stride: number, out: number): void;
	/** 32-bit float sums, per column, of rows of 8-bit codes times a factor. Entries are address, factor (32-bit float). */
	sumRows(entries: number, end: number, stride: number, out: number): void;
}

export function createKernels(memory: WasmMemory): Kernels {
	return instantiate(Buffer.from(COMPILED, "base64"), memory) as Kernels;
}
