import { createWasmMemory, WASM_PAGE, type WasmMemory } from "../base/kernels/wasmMemory.ts";

type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const GROWTH = 1.5;

const FEWEST_VALUES = 1024;

/** Minimum bytes of an array whose memory grows in place, because copying it would block for too long. */
const LARGE = 2 ** 20;

const memories = new WeakMap<ArrayBufferLike, WasmMemory>();

/** The array itself or, if it has less than `length` values, a larger array that replaces it. */
export function withRoomFor<Kind extends Column>(array: Kind, length: number): Kind {
	if (length <= array.length) return array;
	const wanted = Math.ceil(Math.max(length, array.length * GROWTH, FEWEST_VALUES));
	return wanted * array.BYTES_PER_ELEMENT < LARGE ? copied(array, wanted) : grown(array, wanted);
}

function copied<Kind extends Column>(array: Kind, length: number): Kind {
	const larger = new (constructorOf(array))(length);
	larger.set(array);
	return larger;
}

function grown<Kind extends Column>(array: Kind, length: number): Kind {
	const bytes = length * array.BYTES_PER_ELEMENT;
	const own = memories.get(array.buffer);
	const memory = own ?? createWasmMemory(bytes);
	if (own) own.grow(Math.ceil((bytes - own.buffer.byteLength) / WASM_PAGE));
	memories.set(memory.buffer, memory);
	const larger = new (constructorOf(array))(memory.buffer, 0, length);
	if (!own) larger.set(array);
	return larger;
}

function constructorOf<Kind extends Column>(array: Kind) {
	return array.constructor as new (
		lengthOrBuffer: number | ArrayBuffer,
		start?: number,
		length?: number,
	) => Kind;
}
