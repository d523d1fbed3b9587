import { COMPILED } from "./compiled.ts";
import { instantiate, type WasmMemory } from "./wasmMemory.ts";

/** Loops that `assembly/kernels.ts` documents. Addresses, lengths and `stride` (a multiple of 16) are in bytes. */
export interface Kernels {
	distances(query: number, row: number, end: number, stride: number, out: number): void;
	within(place: number, end: number, most: number, out: number): number;
	products(query: number, place: number, end: number, stride: number, out: number): void;
	sumRows(entries: number, end: number, stride: number, out: number): void;
}

export function createKernels(memory: WasmMemory): Kernels {
	return instantiate(Buffer.from(COMPILED, "base64"), memory) as Kernels;
}
