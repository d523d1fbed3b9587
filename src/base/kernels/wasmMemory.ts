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
	readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
	readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
}

const { Module, Instance, Memory } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;

/** Bytes. */
export const WASM_PAGE = 65_536;

/** 4 GiB. */
const MOST_PAGES = 65_536;

/** A memory of at least this many bytes, all zeros. */
export function createWasmMemory(bytes: number): WasmMemory {
	return new Memory({ initial: Math.ceil(bytes / WASM_PAGE), maximum: MOST_PAGES });
}

/** What a module exports that works on a memory. */
export function instantiate(bytes: Uint8Array, memory: WasmMemory): unknown {
	return new Instance(new Module(bytes), { env: { memory } }).exports;
}
