import { createNameTable, type NameTable } from "./analyzer.ts";
import { withRoomFor } from "./growable.ts";

/** A count that stands for itself and for all above. */
export const HIGHEST_COUNT = 255;

/** How often which terms are in a passage. */
export interface PassageTerms {
	/** Terms by their numbers. It is only added to. */
	readonly vocabulary: readonly string[];
	/** The different terms, each once. */
	readonly numbers: Uint32Array;
	/** How often each of them is there, up to `HIGHEST_COUNT`. */
	readonly counts: Uint8Array;
	/** Terms with repetitions. */
	readonly length: number;
}

/** The terms of a document's passages, one passage after the other. */
export interface DocumentTerms {
	readonly vocabulary: readonly string[];
	readonly numbers: Uint32Array;
	readonly counts: Uint8Array;
	/** Of every passage: how many different terms it has, and how many with repetitions. */
	readonly sizes: Uint32Array;
	readonly lengths: Uint32Array;
}

/** The same without the vocabulary: what its owner must add to it. */
export interface SentTerms extends Omit<DocumentTerms, "vocabulary"> {
	/** How many terms there were before; at 0 a vocabulary begins. */
	readonly first: number;
	readonly added: readonly string[];
}

/** Terms that a vocabulary grows up to. */
const MOST_TERMS = 500_000;

/** Counts terms for others, who keep the vocabulary: each term is sent to them once. */
export interface TermCounter {
	count(texts: readonly string[]): SentTerms;
}

export function createTermCounter(): TermCounter {
	let vocabulary = createVocabulary();
	return {
		count: (texts) => {
			if (vocabulary.size > MOST_TERMS) vocabulary = createVocabulary();
			return count(texts, vocabulary);
		},
	};
}

interface Vocabulary {
	readonly size: number;
	readonly names: NameTable<readonly number[]>;
	/** Terms that were not taken yet. */
	takeAdded(): string[];
	/** One for every term; to be left as zeros. */
	zeros(): Uint32Array;
}

function createVocabulary(): Vocabulary {
	const numbers = new Map<string, number>();
	let added: string[] = [];
	let zeros = new Uint32Array(0);
	return {
		get size() {
			return numbers.size;
		},
		names: createNameTable((terms) => terms.map(numberOf)),
		takeAdded: () => {
			const taken = added;
			added = [];
			return taken;
		},
		zeros: () => {
			zeros = withRoomFor(zeros, numbers.size);
			return zeros;
		},
	};

	function numberOf(term: string): number {
		const known = numbers.get(term);
		if (known !== undefined) return known;
		numbers.set(term, numbers.size);
		added.push(term);
		return numbers.size - 1;
	}
}

function count(texts: readonly string[], vocabulary: Vocabulary): SentTerms {
	const first = vocabulary.size;
	const sizes = new Uint32Array(texts.length);
	const lengths = new Uint32Array(texts.length);
	const numbers: number[] = [];
	const counts: number[] = [];
	for (const [index, text] of texts.entries()) {
		const start = numbers.length;
		lengths[index] = countTerms(vocabulary.names.read(text), vocabulary, numbers, counts);
		sizes[index] = numbers.length - start;
	}
	const added = vocabulary.takeAdded();
	return {
		first,
		added,
		numbers: Uint32Array.from(numbers),
		counts: Uint8Array.from(counts),
		sizes,
		lengths,
	};
}

/** Adds the different terms of a passage to the lists; how many there are with repetitions. */
function countTerms(
	names: readonly (readonly number[])[],
	vocabulary: Vocabulary,
	numbers: number[],
	counts: number[],
): number {
	const times = vocabulary.zeros();
	const start = numbers.length;
	let length = 0;
	for (const terms of names) {
		length += terms.length;
		for (const term of terms) {
			if (times[term] === 0) numbers.push(term);
			times[term] = (times[term] as number) + 1;
		}
	}
	for (let place = start; place < numbers.length; place++) {
		const term = numbers[place] as number;
		counts.push(Math.min(HIGHEST_COUNT, times[term] as number));
		times[term] = 0;
	}
	return length;
}

/** The other side: keeps the vocabulary of one counter. */
export function createTermReceiver(): (sent: SentTerms) => DocumentTerms {
	let vocabulary: string[] = [];
	return ({ first, added, ...terms }) => {
		if (first === 0) vocabulary = [];
		for (const term of added) vocabulary.push(term);
		return { ...terms, vocabulary };
	};
}

/** The terms of every passage. */
export function* passagesIn({
	vocabulary,
	numbers,
	counts,
	sizes,
	lengths,
}: DocumentTerms): Generator<PassageTerms> {
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
