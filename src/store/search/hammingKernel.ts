/** Counts, for rows of bits that lie one after the other in a memory, how many bits differ from those of a query. */
export interface HammingKernel {
	/** Addresses in bytes; `stride` is a row's length, a multiple of 16. Writes 16 bits for every row. */
	distances(query: number, row: number, end: number, stride: number, out: number): void;
}

/** Memory that grows without being copied; its buffer is another one then. */
export interface KernelMemory {
	readonly buffer: ArrayBuffer;
	/** By so many pages of 64 KiB. */
	grow(pages: number): number;
}

/** What is used of WebAssembly: its types come with those of a browser. */
interface WebAssemblyApi {
	readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory;
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (
		module: object,
		imports: object,
	) => { readonly exports: Readonly<Record<string, unknown>> };
}

const MOST_PAGES = 65_536;

/** The kernel and the memory that it works on, of one page. */
export function createHammingKernel(): { readonly kernel: HammingKernel; readonly memory: KernelMemory } {
	const { Memory, Module, Instance } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;
	const memory = new Memory({ initial: 1, maximum: MOST_PAGES });
	const { exports } = new Instance(new Module(MODULE), { env: { memory } });
	return { kernel: exports as unknown as HammingKernel, memory };
}

/** The instructions of WebAssembly that are used, by what they do. */
const op = {
	block: [0x02, 0x40],
	loop: [0x03, 0x40],
	end: [0x0b],
	branch: (depth: number) => [0x0c, depth],
	branchIf: (depth: number) => [0x0d, depth],
	get: (local: number) => [0x20, local],
	set: (local: number) => [0x21, local],
	tee: (local: number) => [0x22, local],
	store16: [0x3d, 1, 0],
	i32: (value: number) => [0x41, value],
	lessThan: [0x49],
	atLeast: [0x4f],
	add: [0x6a],
	addLong: [0x7c],
	multiplyLong: [0x7e],
	shiftRightLong: [0x88],
	load128: [0xfd, 0x00, 0, 0],
	splat8: [0xfd, 0x0f],
	long: (lane: number) => [0xfd, 0x1d, lane],
	xor128: [0xfd, 0x51],
	countBits8: [0xfd, 0x62],
	addPairs8: [0xfd, 0x7d],
	add16: [0xfd, 0x8e, 0x01],
};

/** Parameters, in their order, and variables. */
const [QUERY, ROW, END, STRIDE, OUT, PLACE, SUM] = [0, 1, 2, 3, 4, 5, 6];

/** 0x0001_0001_0001_0001: the product's top 16 bits are the sum of the four 16-bit parts of the other factor. */
const ONES = [0x42, 0x81, 0x80, 0x84, 0x80, 0x90, 0x80, 0xc0, 0x00];
const FORTY_EIGHT = [0x42, 48];

const CODE = [
	...[op.block, op.loop],
	...[op.get(ROW), op.get(END), op.atLeast, op.branchIf(1)],
	...[op.i32(0), op.set(PLACE), op.i32(0), op.splat8, op.set(SUM)],
	// sum += bits that differ in 16 bytes, as eight numbers of 16 bits
	op.loop,
	...[op.get(SUM), op.get(ROW), op.get(PLACE), op.add, op.load128],
	...[op.get(QUERY), op.get(PLACE), op.add, op.load128],
	...[op.xor128, op.countBits8, op.addPairs8, op.add16, op.set(SUM)],
	...[op.get(PLACE), op.i32(16), op.add, op.tee(PLACE), op.get(STRIDE), op.lessThan, op.branchIf(0)],
	op.end,
	// *out = the sum of the eight numbers
	...[op.get(OUT), op.get(SUM), op.long(0), op.get(SUM), op.long(1), op.addLong],
	...[ONES, op.multiplyLong, FORTY_EIGHT, op.shiftRightLong, op.store16],
	...[op.get(ROW), op.get(STRIDE), op.add, op.set(ROW)],
	...[op.get(OUT), op.i32(2), op.add, op.set(OUT)],
	...[op.branch(0), op.end, op.end, op.end],
].flat();

const [I32, V128] = [0x7f, 0x7b];
const VARIABLES = [2, 1, I32, 1, V128];

const MODULE = Uint8Array.from([
	...[0x00, ...bytesOf("asm"), 1, 0, 0, 0],
	// one function type of five numbers; the memory of the caller; one function of that type, exported
	...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
	...section(2, [1, ...named("env"), ...named("memory"), 2, 0, 1]),
	...section(3, [1, 0]),
	...section(7, [1, ...named("distances"), 0, 0]),
	...section(10, [1, ...sized([...VARIABLES, ...CODE])]),
]);

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
	return [...Buffer.from(text)];
}
