import type { Database } from "./database.ts";
import type { Match, Store } from "./store.ts";

type RowMethods = Pick<Store, "matchText" | "matchVector" | "read">;

/**
 * A row that was found before a successor took the place of the tables must not be read from the new ones, where its
 * number names another passage: the last bit of each row says whether its generation is odd.
 */
export function tagRows<Methods extends RowMethods>(database: Database, methods: Methods): Methods {
	const generation = () => database.snapshot().tables.generation;
	const tag = async (find: () => Promise<Match[]>): Promise<Match[]> => {
		const before = generation();
		const matches = await find();
		if (generation() !== before) return tag(find);
		return matches.map(({ row, score }) => ({ row: 2 * row + (before % 2), score }));
	};
	return {
		...methods,
		matchText: (query, options) => tag(() => methods.matchText(query, options)),
		matchVector: (vector, options) => tag(() => methods.matchVector(vector, options)),
		read: async (rows) => {
			const before = generation();
			const own = rows.filter((row) => row % 2 === before % 2);
			const found = await methods.read(own.map((row) => Math.floor(row / 2)));
			if (generation() !== before) return new Map();
			return new Map([...found].map(([row, passage]) => [2 * row + (before % 2), passage]));
		},
	};
}
