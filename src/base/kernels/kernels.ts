import { COMPILED } from "./compiled.ts";

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

/** Memory that grows in place: nothing is copied, and pages are taken from the system when they are touched. */
export interface WasmMemory {
	/** Another one after every `grow`; views of the one before are empty then. */
	readonly buffer: ArrayBuffer;
	/** In pages. */
	grow(pages: number): number;
}

/** The used part of WebAssembly, whose types come only with those of a browser. */
interface WebAssemblyApi {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: Kernels };
	readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
}

const { Module, Instance, Memory } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;

export function createKernels(memory: WasmMemory): Kernels {
	return new Instance(new Module(Buffer.from(COMPILED, "base64")), { env: { memory } }).exports;
}

/** Bytes. */
export const WASM_PAGE = 65_536;

/** 4 GiB. */
const MOST_PAGES = 65_536;

/** A memory of at least this many bytes, all zeros. */
export function createWasmMemory(bytes: number): WasmMemory {
	return new Memory({ initial: Math.ceil(bytes / WASM_PAGE), maximum: MOST_PAGES });
}
