/** For every key the rows that have it, as a ring of links through typed arrays: adding and removing a row cost the same at any size. */
export type Postings = ReturnType<typeof createPostings>;

export function createPostings() {
	let heads = new Uint32Array(1024);
	let counts = new Uint32Array(1024);
	let next = new Uint32Array(1024);
	let previous = new Uint32Array(1024);

	const link = (before: number, after: number): void => {
		next[before] = after;
		previous[after] = before;
	};
	return {
		add: (key: number, row: number) => {
			heads = withRoomFor(heads, key);
			counts = withRoomFor(counts, key);
			next = withRoomFor(next, row);
			previous = withRoomFor(previous, row);
			if (at(counts, key) === 0) heads[key] = row;
			const head = at(heads, key);
			const last = at(counts, key) === 0 ? row : at(previous, head);
			link(last, row);
			link(row, head);
			counts[key] = at(counts, key) + 1;
		},
		remove: (key: number, row: number) => {
			if (at(heads, key) === row) heads[key] = at(next, row);
			link(at(previous, row), at(next, row));
			counts[key] = at(counts, key) - 1;
		},
		count: (key: number) => at(counts, key),
		keys: () => Array.from(counts.keys()).filter((key) => at(counts, key) > 0),
		/** The oldest row of a key that has rows, and the row after a row; after the last, the oldest again. */
		first: (key: number) => at(heads, key),
		next: (row: number) => at(next, row),
	};
}

/** The array itself, or a copy of twice the length if the index is beyond its end. */
export function withRoomFor(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
	if (index < array.length) return array;
	const larger = new Uint32Array(Math.max(array.length * 2, index + 1));
	larger.set(array);
	return larger;
}

/** The value at an index; 0 beyond the end. */
export function at(array: Uint32Array, index: number): number {
	return array[index] ?? 0;
}

/** Allocates numbers from 1: the one that was freed last, or the next. */
export function createNumbers() {
	const free: number[] = [];
	let last = 0;
	return {
		/** How many are handed out. */
		get size() {
			return last - free.length;
		},
		take: () => free.pop() ?? ++last,
		giveBack: (number: number) => void free.push(number),
	};
}

/** Numbers for texts, from 1; 0 means "no text". The number of a text is freed with its last reference. */
export function createTexts() {
	const known = new Map<string, number>();
	const texts: string[] = [""];
	const numbers = createNumbers();
	let counts = new Uint32Array(1024);

	const add = (text: string): number => {
		const number = numbers.take();
		texts[number] = text;
		known.set(text, number);
		counts = withRoomFor(counts, number);
		return number;
	};
	return {
		/** The number of a text; adds `references` to its count. */
		acquire: (text: string, references: number = 1) => {
			const number = known.get(text) ?? add(text);
			counts[number] = at(counts, number) + references;
			return number;
		},
		/** One more reference to what has a number. */
		retain: (number: number) => {
			counts[number] = at(counts, number) + 1;
		},
		release: (number: number, references: number = 1) => {
			counts[number] = at(counts, number) - references;
			if (at(counts, number) > 0) return;
			known.delete(texts[number] ?? "");
			texts[number] = "";
			numbers.giveBack(number);
		},
		/** The number of a known text; 0 for any other. */
		find: (text: string) => known.get(text) ?? 0,
		textOf: (number: number) => texts[number] ?? "",
	};
}
