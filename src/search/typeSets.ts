/** Which classes passages have: few different sets, and each passage has the number of one. */
export interface TypeSets {
	/** The number of a set. */
	add(types: readonly string[]): number;
	/** 1 at the numbers of the sets that have one of these classes. */
	withAnyOf(types: readonly string[]): Uint8Array;
	all(): readonly (readonly string[])[];
}

export function createTypeSets(known: readonly (readonly string[])[] = []): TypeSets {
	const numbers = new Map<string, number>();
	const sets: (readonly string[])[] = [];
	for (const types of known) add(types);
	return {
		add,
		withAnyOf: (types) => Uint8Array.from(sets, (set) => (types.some((type) => set.includes(type)) ? 1 : 0)),
		all: () => sets,
	};

	function add(types: readonly string[]): number {
		const key = types.join("\n");
		const number = numbers.get(key);
		if (number !== undefined) return number;
		numbers.set(key, sets.length);
		return sets.push(types) - 1;
	}
}
