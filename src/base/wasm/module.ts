import type { WasmMemory } from "./memory.ts";

/** What is used of WebAssembly: its types come with those of a browser. */
interface ModuleApi {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (
		module: object,
		imports: object,
	) => { readonly exports: Readonly<Record<string, unknown>> };
}

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

/** Makes a module of functions that work on a memory; what it exports has their names. */
export function instantiate(
	functions: readonly WasmFunction[],
	memory: WasmMemory,
): Readonly<Record<string, unknown>> {
	const { Module, Instance } = Reflect.get(globalThis, "WebAssembly") as ModuleApi;
	return new Instance(new Module(assemble(functions)), { env: { memory } }).exports;
}

/** As the core specification of WebAssembly writes a module: types, the imported memory, functions, exports, codes. */
function assemble(functions: readonly WasmFunction[]): Uint8Array {
	const typeOf = ({ parameters }: WasmFunction) => [
		...[0x60, parameters],
		...new Array<number>(parameters).fill(I32),
		0,
	];
	const exportOf = ({ name }: WasmFunction, index: number) => [...named(name), 0, index];
	const codeOf = ({ numbers, vectors, code }: WasmFunction) =>
		sized([...[2, numbers, I32, vectors, V128], ...code]);
	return Uint8Array.from([
		...[0x00, ...bytesOf("asm"), 1, 0, 0, 0],
		...section(1, functions.map(typeOf)),
		...section(2, [[...named("env"), ...named("memory"), 2, 0, 1]]),
		...section(
			3,
			functions.map((_, index) => [index]),
		),
		...section(7, functions.map(exportOf)),
		...section(10, functions.map(codeOf)),
	]);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
	return [id, ...sized([entries.length, ...entries.flat()])];
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
