/** The rows of each key, as a ring of links in typed arrays. Adding and removing a row takes constant time. */
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
			const count = counts[key] ?? 0;
			if (count === 0) heads[key] = row;
			const head = heads[key] ?? 0;
			link(count === 0 ? row : (previous[head] ?? 0), row);
			link(row, head);
			counts[key] = count + 1;
		},
		remove: (key: number, row: number) => {
			if (heads[key] === row) heads[key] = next[row] ?? 0;
			link(previous[row] ?? 0, next[row] ?? 0);
			counts[key] = (counts[key] ?? 0) - 1;
		},
		count: (key: number) => counts[key] ?? 0,
		keys: () => Array.from(counts.keys()).filter((key) => counts[key] !== 0),
		/** `first` is the oldest row of a key with rows. After the last row of the key, `next` returns to the oldest row. */
		first: (key: number) => heads[key] ?? 0,
		next: (row: number) => next[row] ?? 0,
	};
}

/** A growing array of numbers with 0 at unset indexes. */
export function createColumn() {
	let cells = new Uint32Array(1024);
	return {
		at: (index: number) => cells[index] ?? 0,
		set: (index: number, value: number) => {
			cells = withRoomFor(cells, index);
			cells[index] = value;
		},
	};
}

/** Returns the array, or a larger copy if the index is beyond the end. */
export function withRoomFor(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
	if (index < array.length) return array;
	const larger = new Uint32Array(Math.max(array.length * 2, index + 1));
	larger.set(array);
	return larger;
}

/** Allocates numbers from 1. Reuses the number freed last. */
export function createNumbers() {
	const free: number[] = [];
	let last = 0;
	return {
		get size() {
			return last - free.length;
		},
		take: () => free.pop() ?? ++last,
		giveBack: (number: number) => void free.push(number),
	};
}

/** Numbers texts from 1; 0 means “no text”. The number of a text is freed with the last reference to the text. */
export type Texts = ReturnType<typeof createTexts>;

export function createTexts() {
	const known = new Map<string, number>();
	const texts: string[] = [""];
	const numbers = createNumbers();
	const counts = createColumn();
	const retain = (number: number, references = 1): void => counts.set(number, counts.at(number) + references);
	const add = (text: string): number => {
		const number = numbers.take();
		texts[number] = text;
		known.set(text, number);
		return number;
	};
	return {
		acquire: (text: string, references?: number) => {
			const number = known.get(text) ?? add(text);
			retain(number, references);
			return number;
		},
		retain,
		release: (number: number) => {
			retain(number, -1);
			if (counts.at(number) > 0) return;
			known.delete(texts[number] ?? "");
			texts[number] = "";
			numbers.giveBack(number);
		},
		find: (text: string) => known.get(text) ?? 0,
		textOf: (number: number) => texts[number] ?? "",
	};
}
