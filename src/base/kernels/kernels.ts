import { COMPILED } from "./compiled.ts";
import type { WasmMemory } from "./memory.ts";

/**
 * The loops of `assembly/kernels.ts` over a memory. Addresses and lengths are in bytes; `stride` is a row's length, a
 * multiple of 16.
 */
export interface Kernels {
	/** Hamming distances between the query and every row of bits from `row` to `end`: 16 bits each. */
	distances(query: number, row: number, end: number, stride: number, out: number): void;
	/**
	 * The places, in a list of 16-bit distances from `place` to `end`, of those that are at most `most`: 32 bits each; some
	 * behind the end may be among them. How many there are.
	 */
	within(place: number, end: number, most: number, out: number): number;
	/**
	 * Products of the query's 16-bit codes with every row of 8-bit codes whose address stands between `place` and
	 * `end` (32 bits each): 32 bits each.
	 */
	products(query: number, place: number, end: number, stride: number, out: number): void;
	/**
	 * The sum of rows of 8-bit codes, each times a factor: a 32-bit float for every column. Between `entries` and `end`
	 * stand a row's address and its factor (a 32-bit float) by turns.
	 */
	sumRows(entries: number, end: number, stride: number, out: number): void;
}

/** What is used of WebAssembly: its types come with those of a browser. */
interface WebAssemblyApi {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: Kernels };
}

export function createKernels(memory: WasmMemory): Kernels {
	const { Module, Instance } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;
	return new Instance(new Module(Buffer.from(COMPILED, "base64")), { env: { memory } }).exports;
}
