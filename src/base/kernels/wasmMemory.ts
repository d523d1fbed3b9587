/** Memory that grows in place: the system allocates pages on first access, without copying. */
export interface WasmMemory {
	/** Replaced by every `grow`, which detaches earlier views. */
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** Read by reflection, because only the browser's type libraries declare WebAssembly. */
const { Module, Instance, Memory } = Reflect.get(globalThis, "WebAssembly");

/** Size of a WebAssembly page in bytes. */
export const WASM_PAGE = 65_536;

/** A memory of at least this many bytes, all zeros, that grows to at most 4 GiB. */
export function createWasmMemory(bytes: number): WasmMemory {
	return new Memory({ initial: Math.ceil(bytes / WASM_PAGE), maximum: 2 ** 32 / WASM_PAGE });
}

export function instantiate(bytes: Uint8Array, memory: WasmMemory): unknown {
	return new Instance(new Module(bytes), { env: { memory } }).exports;
}
