/** Of the word pairs of the shorter text, the part that the other one has where both say the same. */
const CONTAINED = 0.6;

/** More different words than any two texts that are compared have. */
const MOST_WORDS = 2 ** 24;

/** Whether one of two texts says what the other one says. */
export type Repetitions = (text: string, other: string) => boolean;

/**
 * A question, its answer and the page that has both are three things with one text: they say the same. Containment of
 * shingles (Broder: On the resemblance and containment of documents, 1997). A text is read once, however often compared.
 */
export function createRepetitions(): Repetitions {
	const known = new Map<string, ReadonlySet<number>>();
	const numbers = new Map<string, number>();
	return (text, other) => overlapOf(pairsOf(text), pairsOf(other)) >= CONTAINED;

	function pairsOf(text: string): ReadonlySet<number> {
		const pairs = known.get(text) ?? pairsIn(text);
		known.set(text, pairs);
		return pairs;
	}

	/** Words next to each other, each pair as one number. */
	function pairsIn(text: string): Set<number> {
		const pairs = new Set<number>();
		let before: number | undefined;
		for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
			const number = numberOf(word);
			if (before !== undefined) pairs.add(before * MOST_WORDS + number);
			before = number;
		}
		return pairs;
	}

	function numberOf(word: string): number {
		const number = numbers.get(word) ?? numbers.size;
		numbers.set(word, number);
		return number;
	}
}

/** 0 to 1. */
function overlapOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
	const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
	let shared = 0;
	for (const pair of shorter) if (longer.has(pair)) shared++;
	return shared / Math.max(1, shorter.size);
}
