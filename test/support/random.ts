/** Pseudorandom numbers, the same in every run. */
export interface Random {
	/** An integer from 0 up to, but not including, the limit. */
	below(limit: number): number;
	pick<T>(items: readonly T[]): T;
}

/** Xorshift generator (Marsaglia, “Xorshift RNGs”, 2003). */
export function createRandom(seed: number): Random {
	let state = seed;
	const below = (limit: number): number => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % limit;
	};
	return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** Creates a function that returns integers from 0 to below a limit (mulberry32, T. Ettinger). */
export function createDice(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
	};
}
