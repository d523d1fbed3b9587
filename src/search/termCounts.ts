import type { Counted } from "../base/words/wordTable.ts";
import { withRoomFor } from "./growable.ts";

/** Maximum of a stored count; higher counts are stored as this number. */
export const HIGHEST_COUNT = 255;

export interface PassageTerms {
	/** Terms by number. Only grows. */
	readonly vocabulary: readonly string[];
	readonly numbers: Uint32Array;
	/** Occurrences of each term, up to `HIGHEST_COUNT`. */
	readonly counts: Uint8Array;
	/** Number of terms, including repetitions but not marks. */
	readonly length: number;
}

/** Terms of a document's passages, as numbers in a vocabulary, one passage after the other. */
interface CountedTerms {
	readonly numbers: Uint32Array;
	readonly counts: Uint8Array;
	/** Number of distinct terms per passage. */
	readonly sizes: Uint32Array;
	/** Number of terms per passage, including repetitions. */
	readonly lengths: Uint32Array;
}

export interface DocumentTerms extends CountedTerms {
	readonly vocabulary: readonly string[];
}

/** Counted terms, with terms that the receiver must append to the vocabulary. */
export interface SentTerms extends CountedTerms {
	/** Number of terms that were sent before; 0 starts a new vocabulary. */
	readonly first: number;
	readonly added: readonly string[];
}

const MOST_TERMS_IN_VOCABULARY = 500_000;

interface CountedName extends Counted {
	readonly terms: readonly number[];
}

/** Counts terms for a vocabulary in another process. Each term is sent only once. */
export function createTermCounter() {
	const vocabulary = new Map<string, number>();
	const numberOf = (term: string): number => {
		const known = vocabulary.get(term);
		if (known !== undefined) return known;
		counts.added.push(term);
		vocabulary.set(term, vocabulary.size);
		return vocabulary.size - 1;
	};
	/** Count of each term in the current passage. All zero between passages. */
	let times = new Uint32Array(0);
	let counts = createCounts(0);
	return {
		/** Whether a new counter is needed, because the vocabulary takes too much memory. */
		get isFull() {
			return vocabulary.size > MOST_TERMS_IN_VOCABULARY;
		},
		numbersOf: (terms: readonly string[]) => terms.map(numberOf),
		add: (names: readonly CountedName[], mark?: string) => {
			const marks = mark === undefined ? [] : [numberOf(mark)];
			times = withRoomFor(times, vocabulary.size);
			addPassage(names, marks, counts, times);
		},
		take: () => {
			const { first, added, numbers, times: many, sizes, lengths } = counts;
			counts = createCounts(vocabulary.size);
			return {
				first,
				added,
				numbers: Uint32Array.from(numbers),
				counts: Uint8Array.from(many),
				sizes: Uint32Array.from(sizes),
				lengths: Uint32Array.from(lengths),
			};
		},
	};
}

function createCounts(first: number) {
	const list = (): number[] => [];
	const added: string[] = [];
	return { first, added, numbers: list(), times: list(), sizes: list(), lengths: list() };
}

function addPassage(
	names: readonly CountedName[],
	marks: readonly number[],
	{ numbers, times, sizes, lengths }: ReturnType<typeof createCounts>,
	zeros: Uint32Array,
): void {
	const start = numbers.length;
	let length = 0;
	for (const { terms, times: many } of names) {
		length += terms.length * many;
		for (const term of terms) {
			if (zeros[term] === 0) numbers.push(term);
			zeros[term] = (zeros[term] as number) + many;
		}
	}
	for (let place = start; place < numbers.length; place++) {
		const term = numbers[place] as number;
		times.push(Math.min(HIGHEST_COUNT, zeros[term] as number));
		zeros[term] = 0;
	}
	for (const mark of marks) {
		numbers.push(mark);
		times.push(1);
	}
	sizes.push(numbers.length - start);
	lengths.push(length);
}

/** Receives terms from one counter and keeps the vocabulary. */
export function createTermReceiver(): (sent: SentTerms) => DocumentTerms {
	let vocabulary: string[] = [];
	return ({ first, added, ...terms }) => {
		if (first === 0) vocabulary = [];
		for (const term of added) vocabulary.push(term);
		return { ...terms, vocabulary };
	};
}

export function* passagesIn(terms: DocumentTerms): Generator<PassageTerms> {
	const { vocabulary, numbers, counts, sizes, lengths } = terms;
	let start = 0;
	for (const [index, size] of sizes.entries()) {
		const end = start + size;
		yield {
			vocabulary,
			numbers: numbers.subarray(start, end),
			counts: counts.subarray(start, end),
			length: lengths[index] as number,
		};
		start = end;
	}
}
