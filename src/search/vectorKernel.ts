import { op } from "../base/wasm/instructions.ts";
import type { WasmMemory } from "../base/wasm/memory.ts";
import { instantiate, type WasmFunction } from "../base/wasm/module.ts";

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

/** The kernel over a memory. */
export function createVectorKernel(memory: WasmMemory): VectorKernel {
	return instantiate(FUNCTIONS, memory) as unknown as VectorKernel;
}

/** Parameters of both functions, in their order, and variables. The first lists rows, the second their addresses. */
const [QUERY, ROW, END, STRIDE, OUT, PLACE, START, SUM, CODES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const LOCALS = { parameters: 5, numbers: 2, vectors: 2 };

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
	...[op.get(SUM), op.get(ROW), op.get(PLACE), op.add, op.load128()],
	...[op.get(QUERY), op.get(PLACE), op.add, op.load128()],
	...[op.xor128, op.countBits8, op.addPairs8, op.add16, op.set(SUM)],
	NEXT_PART,
	op.end,
	// *out = the sum of the eight numbers
	...[op.get(OUT), op.get(SUM), op.lane64(0), op.get(SUM), op.lane64(1), op.addLong],
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
	...[op.get(START), op.get(PLACE), op.add, op.load128(), op.set(CODES)],
	...[op.get(SUM), op.get(CODES), op.lower8As16, QUERY_PART, op.load128(), op.multiplyPairs16, op.add32],
	...[op.get(CODES), op.upper8As16, QUERY_PART, op.load128(16), op.multiplyPairs16, op.add32],
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

const FUNCTIONS: readonly WasmFunction[] = [
	{ name: "distances", ...LOCALS, code: DISTANCES },
	{ name: "products", ...LOCALS, code: PRODUCTS },
];
