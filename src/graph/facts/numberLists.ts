/** Numbers under texts. Most texts have one number: it takes no list. */
export interface NumberLists {
	add(text: string, number: number): void;
	remove(text: string, number: number): void;
	count(text: string): number;
	/** At most `limit` of a text's numbers, the oldest first. */
	first(text: string, limit: number): number[];
}

export function createNumberLists(): NumberLists {
	const lists = new Map<string, number | Set<number>>();
	return {
		add: (text, number) => {
			const found = lists.get(text);
			if (found === undefined) lists.set(text, number);
			else if (typeof found === "number") lists.set(text, new Set([found, number]));
			else found.add(number);
		},
		remove: (text, number) => {
			const found = lists.get(text);
			if (found instanceof Set) found.delete(number);
			if (found === number || (found instanceof Set && found.size === 0)) lists.delete(text);
		},
		count: (text) => {
			const found = lists.get(text);
			if (found === undefined) return 0;
			return typeof found === "number" ? 1 : found.size;
		},
		first: (text, limit) => {
			const found = lists.get(text);
			if (found === undefined) return [];
			if (typeof found === "number") return [found];
			const first: number[] = [];
			for (const number of found) if (first.push(number) >= limit) break;
			return first;
		},
	};
}
