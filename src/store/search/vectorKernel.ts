/** Compares vectors that lie one after the other in a memory with a query. Addresses and lengths are in bytes. */
export interface VectorKernel {
	/**
	 * For every row of bits from `row` to `end`, how many differ from those of the query: 16 bits each.
	 * `stride` is a row's length, a multiple of 16.
	 */
	distances(query: number, row: number, end: number, stride: number, out: number): void;
	/**
	 * For every row of 8-bit codes whose address stands between `place` and `end`, 32 bits each, the product with
	 * the 16-bit codes of the query: 32 bits each. `stride` is a row's length, a multiple of 16.
	 */
	products(query: number, place: number, end: number, stride: number, out: number): void;
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

/** The kernel and the memory that it works on, of so many pages of 64 KiB. */
export function createVectorKernel(pages: number): {
	readonly kernel: VectorKernel;
	readonly memory: KernelMemory;
} {
	const { Memory, Module, Instance } = Reflect.get(globalThis, "WebAssembly") as WebAssemblyApi;
	const memory = new Memory({ initial: pages, maximum: MOST_PAGES });
	const { exports } = new Instance(new Module(MODULE), { env: { memory } });
	return { kernel: exports as unknown as VectorKernel, memory };
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
	load32: [0x28, 2, 0],
	store32: [0x36, 2, 0],
	store16: [0x3d, 1, 0],
	i32: (value: number) => [0x41, value],
	lessThan: [0x49],
	atLeast: [0x4f],
	add: [0x6a],
	addLong: [0x7c],
	multiplyLong: [0x7e],
	shiftRightLong: [0x88],
	load128: [0xfd, 0x00, 0, 0],
	load128After: (bytes: number) => [0xfd, 0x00, 0, bytes],
	splat8: [0xfd, 0x0f],
	long: (lane: number) => [0xfd, 0x1d, lane],
	lane32: (lane: number) => [0xfd, 0x1b, lane],
	xor128: [0xfd, 0x51],
	countBits8: [0xfd, 0x62],
	addPairs8: [0xfd, 0x7d],
	lower8As16: [0xfd, 0x87, 0x01],
	upper8As16: [0xfd, 0x88, 0x01],
	add16: [0xfd, 0x8e, 0x01],
	add32: [0xfd, 0xae, 0x01],
	multiplyPairs16: [0xfd, 0xba, 0x01],
};

/** Parameters of both functions, in their order, and variables. The first lists rows, the second their addresses. */
const [QUERY, ROW, END, STRIDE, OUT, PLACE, SUM, START, CODES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** 0x0001_0001_0001_0001: the product's top 16 bits are the sum of the four 16-bit parts of the other factor. */
const ONES = [0x42, 0x81, 0x80, 0x84, 0x80, 0x90, 0x80, 0xc0, 0x00];
const FORTY_EIGHT = [0x42, 48];

const BEGIN = [op.i32(0), op.set(PLACE), op.i32(0), op.splat8, op.set(SUM)].flat();
const NEXT_PART = [
	...[op.get(PLACE), op.i32(16), op.add, op.tee(PLACE), op.get(STRIDE), op.lessThan, op.branchIf(0)],
].flat();

const DISTANCES = [
	...[op.block, op.loop],
	...[op.get(ROW), op.get(END), op.atLeast, op.branchIf(1)],
	BEGIN,
	// sum += bits that differ in 16 bytes, as eight numbers of 16 bits
	op.loop,
	...[op.get(SUM), op.get(ROW), op.get(PLACE), op.add, op.load128],
	...[op.get(QUERY), op.get(PLACE), op.add, op.load128],
	...[op.xor128, op.countBits8, op.addPairs8, op.add16, op.set(SUM)],
	NEXT_PART,
	op.end,
	// *out = the sum of the eight numbers
	...[op.get(OUT), op.get(SUM), op.long(0), op.get(SUM), op.long(1), op.addLong],
	...[ONES, op.multiplyLong, FORTY_EIGHT, op.shiftRightLong, op.store16],
	...[op.get(ROW), op.get(STRIDE), op.add, op.set(ROW)],
	...[op.get(OUT), op.i32(2), op.add, op.set(OUT)],
	...[op.branch(0), op.end, op.end, op.end],
].flat();

/** The 16-bit codes of the query for this part of a row lie at twice the part's place. */
const QUERY_PART = [op.get(QUERY), op.get(PLACE), op.add, op.get(PLACE), op.add].flat();

const PRODUCTS = [
	...[op.block, op.loop],
	...[op.get(ROW), op.get(END), op.atLeast, op.branchIf(1)],
	...[op.get(ROW), op.load32, op.set(START)],
	BEGIN,
	// sum += the products of 16 codes, as four numbers of 32 bits
	op.loop,
	...[op.get(START), op.get(PLACE), op.add, op.load128, op.set(CODES)],
	...[op.get(SUM), op.get(CODES), op.lower8As16, QUERY_PART, op.load128, op.multiplyPairs16, op.add32],
	...[op.get(CODES), op.upper8As16, QUERY_PART, op.load128After(16), op.multiplyPairs16, op.add32],
	op.set(SUM),
	NEXT_PART,
	op.end,
	// *out = the sum of the four numbers
	op.get(OUT),
	...[op.get(SUM), op.lane32(0), op.get(SUM), op.lane32(1), op.add],
	...[op.get(SUM), op.lane32(2), op.add, op.get(SUM), op.lane32(3), op.add, op.store32],
	...[op.get(ROW), op.i32(4), op.add, op.set(ROW)],
	...[op.get(OUT), op.i32(4), op.add, op.set(OUT)],
	...[op.branch(0), op.end, op.end, op.end],
].flat();

const [I32, V128] = [0x7f, 0x7b];
const VARIABLES = [4, 1, I32, 1, V128, 1, I32, 1, V128];

const MODULE = Uint8Array.from([
	...[0x00, ...bytesOf("asm"), 1, 0, 0, 0],
	// one function type of five numbers; the memory of the caller; two functions of that type, exported
	...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
	...section(2, [1, ...named("env"), ...named("memory"), 2, 0, 1]),
	...section(3, [2, 0, 0]),
	...section(7, [2, ...named("distances"), 0, 0, ...named("products"), 0, 1]),
	...section(10, [2, ...sized([...VARIABLES, ...DISTANCES]), ...sized([...VARIABLES, ...PRODUCTS])]),
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
