/** Loops over vectors of 128 bits, in AssemblyScript. All lengths are multiples of 16 bytes. */

/** Bytes, or 8-bit numbers, that one vector holds. */
const LANES: u32 = 16;

/**
 * For every row of bits from `row` to `end`, how many of them differ from those of the query: a `u16` each, into `out`.
 */
export function distances(query: u32, row: u32, end: u32, stride: u32, out: u32): void {
	for (; row < end; row += stride, out += sizeof<u16>()) {
		let sums = i16x8.splat(0);
		for (let at: u32 = 0; at < stride; at += LANES) {
			const different = v128.xor(v128.load(row + at), v128.load(query + at));
			sums = i16x8.add(sums, i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(different)));
		}
		const pairs = i32x4.extadd_pairwise_i16x8_u(sums);
		store<u16>(out, sumOf(pairs));
	}
}

/**
 * Which of the distances from `place` to `end`, a `u16` each, are at most `most`: their places in the list, a `u32` each,
 * into `out`, in ascending order. It looks at eight at a time, so that some behind the end may be among them. How many
 * there are.
 */
export function within(place: u32, end: u32, most: u32, out: u32): u32 {
	const limit = i16x8.splat(<i16>most);
	let to = out;
	for (let first: u32 = 0; place < end; place += LANES, first += 8) {
		let bits = <u32>i16x8.bitmask(i16x8.le_u(v128.load(place), limit));
		for (; bits != 0; bits &= bits - 1, to += sizeof<u32>()) store<u32>(to, first + ctz(bits));
	}
	return (to - out) / sizeof<u32>();
}

/**
 * For every row of 8-bit codes whose address stands in the `u32`s from `place` to `end`, the product with the 16-bit
 * codes of the query: an `i32` each, into `out`.
 */
export function products(query: u32, place: u32, end: u32, stride: u32, out: u32): void {
	for (; place < end; place += sizeof<u32>(), out += sizeof<i32>()) {
		const row = load<u32>(place);
		let sums = i32x4.splat(0);
		for (let at: u32 = 0; at < stride; at += LANES) {
			const codes = v128.load(row + at);
			const part = query + 2 * at;
			sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), v128.load(part)));
			sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), v128.load(part, LANES)));
		}
		store<i32>(out, sumOf(sums));
	}
}

/**
 * The sum of rows of 8-bit codes, each times a factor: an `f32` for every column, into `out`. From `entries` to `end`
 * stand a row's address (`u32`) and its factor (`f32`) by turns.
 */
export function sumRows(entries: u32, end: u32, stride: u32, out: u32): void {
	for (let at: u32 = 0; at < stride; at += LANES) {
		let a = f32x4.splat(0);
		let b = f32x4.splat(0);
		let c = f32x4.splat(0);
		let d = f32x4.splat(0);
		for (let entry = entries; entry < end; entry += 2 * sizeof<u32>()) {
			const codes = v128.load(load<u32>(entry) + at);
			const factor = v128.load32_splat(entry, sizeof<u32>());
			const low = i16x8.extend_low_i8x16_s(codes);
			const high = i16x8.extend_high_i8x16_s(codes);
			a = addProduct(a, i32x4.extend_low_i16x8_s(low), factor);
			b = addProduct(b, i32x4.extend_high_i16x8_s(low), factor);
			c = addProduct(c, i32x4.extend_low_i16x8_s(high), factor);
			d = addProduct(d, i32x4.extend_high_i16x8_s(high), factor);
		}
		const place = out + at * sizeof<f32>();
		v128.store(place, a);
		v128.store(place, b, 16);
		v128.store(place, c, 32);
		v128.store(place, d, 48);
	}
}

@inline
function addProduct(sum: v128, integers: v128, factor: v128): v128 {
	return f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_s(integers), factor));
}

@inline
function sumOf(numbers: v128): i32 {
	return (
		i32x4.extract_lane(numbers, 0) +
		i32x4.extract_lane(numbers, 1) +
		i32x4.extract_lane(numbers, 2) +
		i32x4.extract_lane(numbers, 3)
	);
}
