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

export const createDice = (seed: number) => createRandom(seed).below;
