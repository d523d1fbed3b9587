/** Memory that grows in place: the system allocates pages on first access, without copying. */
export interface WasmMemory {
	/** Replaced by every `grow`, which detaches earlier views. */
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** Accessed by reflection, because only the browser's type libraries declare WebAssembly. */
const { Module, Instance, Memory } = Reflect.get(globalThis, "WebAssembly");

export const WASM_PAGE = 65_536;

/** Memory of at least this many bytes, all zeros, that can grow to 4 GiB. */
export function createWasmMemory(bytes: number): WasmMemory {
	return new Memory({ initial: Math.ceil(bytes / WASM_PAGE), maximum: 2 ** 32 / WASM_PAGE });
}

export function instantiate(bytes: Uint8Array, memory: WasmMemory): unknown {
	return new Instance(new Module(bytes), { env: { memory } }).exports;
}
