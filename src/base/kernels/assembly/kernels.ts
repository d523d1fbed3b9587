/** Loops over vectors of 128 bits, in AssemblyScript. All lengths are multiples of 16 bytes. */

/** Number of bytes, or 8-bit numbers, in one vector. */
const LANES: u32 = 16;

/** Size of a cache line in bytes. */
const LINE: u32 = 64;

/** Writes a `u16` Hamming distance of the query to each row of bits from `row` to `end` into `out`. */
export function distances(query: u32, row: u32, end: u32, stride: u32, out: u32): void {
	const four = 4 * stride;
	for (; row + four <= end; row += four, out += 4 * sizeof<u16>()) {
		const ab = joined(differing(query, row, stride), differing(query, row + stride, stride));
		const c = row + 2 * stride;
		const cd = joined(differing(query, c, stride), differing(query, c + stride, stride));
		const sums = i32x4.extadd_pairwise_i16x8_s(i16x8.narrow_i32x4_s(ab, cd));
		v128.store64_lane(out, i16x8.narrow_i32x4_s(sums, sums), 0);
	}
	for (; row < end; row += stride, out += sizeof<u16>())
		store<u16>(out, sumOf(i32x4.extadd_pairwise_i16x8_u(differing(query, row, stride))));
}

/** Number of differing bits, as eight partial sums. */
@inline
function differing(query: u32, row: u32, stride: u32): v128 {
	let sums = i16x8.splat(0);
	for (let at: u32 = 0; at < stride; at += LANES) {
		const different = v128.xor(v128.load(row + at), v128.load(query + at));
		sums = i16x8.add(sums, i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(different)));
	}
	return sums;
}

/** Reduces two vectors of eight partial sums to one vector with two partial sums of each. */
@inline
function joined(a: v128, b: v128): v128 {
	return i32x4.extadd_pairwise_i16x8_s(
		i16x8.narrow_i32x4_s(i32x4.extadd_pairwise_i16x8_s(a), i32x4.extadd_pairwise_i16x8_s(b)),
	);
}

/**
 * Writes the ascending indices of `u16` distances up to `most` into `out` and returns the number of indices.
 * Some indices may lie past `end`.
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

/** Writes `i32` dot products of the query's 16-bit codes with the rows of 8-bit codes at the `u32` addresses into `out`. */
export function products(query: u32, place: u32, end: u32, stride: u32, out: u32): void {
	for (; place + 4 * sizeof<u32>() <= end; place += 4 * sizeof<u32>(), out += 4 * sizeof<i32>()) {
		const a = load<u32>(place);
		const b = load<u32>(place, sizeof<u32>());
		const c = load<u32>(place, 2 * sizeof<u32>());
		const d = load<u32>(place, 3 * sizeof<u32>());
		const next = place + 8 * sizeof<u32>() <= end ? place + 4 * sizeof<u32>() : place;
		fetch(load<u32>(next), stride);
		fetch(load<u32>(next, sizeof<u32>()), stride);
		fetch(load<u32>(next, 2 * sizeof<u32>()), stride);
		fetch(load<u32>(next, 3 * sizeof<u32>()), stride);
		let ofA = i32x4.splat(0);
		let ofB = i32x4.splat(0);
		let ofC = i32x4.splat(0);
		let ofD = i32x4.splat(0);
		for (let at: u32 = 0; at < stride; at += LANES) {
			const low = v128.load(query + 2 * at);
			const high = v128.load(query + 2 * at, LANES);
			ofA = addDot(ofA, v128.load(a + at), low, high);
			ofB = addDot(ofB, v128.load(b + at), low, high);
			ofC = addDot(ofC, v128.load(c + at), low, high);
			ofD = addDot(ofD, v128.load(d + at), low, high);
		}
		store<i32>(out, sumOf(ofA));
		store<i32>(out, sumOf(ofB), sizeof<i32>());
		store<i32>(out, sumOf(ofC), 2 * sizeof<i32>());
		store<i32>(out, sumOf(ofD), 3 * sizeof<i32>());
	}
	for (; place < end; place += sizeof<u32>(), out += sizeof<i32>()) {
		const row = load<u32>(place);
		let sums = i32x4.splat(0);
		for (let at: u32 = 0; at < stride; at += LANES)
			sums = addDot(sums, v128.load(row + at), v128.load(query + 2 * at), v128.load(query + 2 * at, LANES));
		store<i32>(out, sumOf(sums));
	}
}

/** Prefetches a row. The compiler keeps loads whose result is unused, because a load may trap. */
@inline
function fetch(row: u32, stride: u32): void {
	for (let at: u32 = 0; at < stride; at += LINE) load<u8>(row + at);
}

@inline
function addDot(sums: v128, codes: v128, low: v128, high: v128): v128 {
	const first = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), low);
	return i32x4.add(sums, i32x4.add(first, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), high)));
}

/** Sums rows of 8-bit codes times a factor, as an `f32` per column in `out`. Entries are address (`u32`), factor (`f32`). */
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
