/** Numbers that are the same in every run. */
export interface Random {
	/** A whole number from 0 on, less than the limit. */
	below(limit: number): number;
	pick<T>(items: readonly T[]): T;
}

/** Marsaglia, “Xorshift RNGs”, 2003. */
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
