/** Memory that grows in place: nothing is copied, and pages are taken from the system when they are touched. */
export interface WasmMemory {
	/** Another one after every `grow`; views of the one before are empty then. */
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** Its types come only with those of a browser. */
const { Module, Instance, Memory } = Reflect.get(globalThis, "WebAssembly");

/** Bytes. */
export const WASM_PAGE = 65_536;

/** A memory of at least this many bytes, all zeros, that grows to at most 4 GiB. */
export function createWasmMemory(bytes: number): WasmMemory {
	return new Memory({ initial: Math.ceil(bytes / WASM_PAGE), maximum: 2 ** 32 / WASM_PAGE });
}

export function instantiate(bytes: Uint8Array, memory: WasmMemory): unknown {
	return new Instance(new Module(bytes), { env: { memory } }).exports;
}
