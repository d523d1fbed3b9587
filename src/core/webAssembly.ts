/** Memory that a module works on. */
export interface WasmMemory {
	/** Another one after every `grow`. */
	readonly buffer: ArrayBuffer;
	/** By so many pages. */
	grow(pages: number): number;
}

/** What is used of WebAssembly: its types come with those of a browser. */
interface WebAssemblyApi {
	readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (
		module: object,
		imports: object,
	) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Bytes. */
export const WASM_PAGE = 65_536;

const MOST_PAGES = 65_536;

/** The types of values, as they are written in a module. */
const [I32, V128] = [0x7f, 0x7b];

/** A function without a result. */
export interface WasmFunction {
	readonly name: string;
	/** Numbers of 32 bits: the first locals. */
	readonly parameters: number;
	/** Locals after the parameters: numbers of 32 bits, and after these vectors of 128 bits. */
	readonly numbers: number;
	readonly vectors: number;
	readonly code: readonly number[];
}

/** Makes a module of one function, with a memory of so many pages. */
export function instantiate(
	wanted: WasmFunction,
	pages: number,
): { readonly exports: Readonly<Record<string, unknown>>; readonly memory: WasmMemory } {
	const { Memory, Module, Instance } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;
	const memory = new Memory({ initial: pages, maximum: MOST_PAGES });
	const { exports } = new Instance(new Module(assemble(wanted)), { env: { memory } });
	return { exports, memory };
}

/** As the core specification of WebAssembly writes a module: sections of one type, one memory, one function. */
function assemble({ name, parameters, numbers, vectors, code }: WasmFunction): Uint8Array {
	const locals = [2, numbers, I32, vectors, V128];
	return Uint8Array.from([
		...[0x00, ...bytesOf("asm"), 1, 0, 0, 0],
		...section(1, [1, 0x60, parameters, ...new Array<number>(parameters).fill(I32), 0]),
		...section(2, [1, ...named("env"), ...named("memory"), 2, 0, 1]),
		...section(3, [1, 0]),
		...section(7, [1, ...named(name), 0, 0]),
		...section(10, [1, ...sized([...locals, ...code])]),
	]);
}

function section(id: number, content: readonly number[]): number[] {
	return [id, ...sized(content)];
}

function named(name: string): number[] {
	return sized(bytesOf(name));
}

/** The length in LEB128, up to 14 bits, before the bytes. */
function sized(bytes: readonly number[]): number[] {
	const { length } = bytes;
	return length < 128 ? [length, ...bytes] : [(length & 127) | 128, length >> 7, ...bytes];
}

function bytesOf(text: string): number[] {
	return Array.from(text, (character) => character.charCodeAt(0));
}
