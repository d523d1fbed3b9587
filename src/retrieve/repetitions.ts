/** Of the word pairs of the shorter text, the part that the other one has where both say the same. */
const CONTAINED = 0.6;

/**
 * Whether one of two texts says what the other one says: a question, its answer and the page that has both are three
 * things with one text. Containment of shingles (Broder: On the resemblance and containment of documents, 1997).
 */
export function createRepetitions() {
	const known = new Map<string, ReadonlySet<string>>();
	return (text: string, other: string): boolean => overlapOf(pairsOf(text), pairsOf(other)) >= CONTAINED;

	function pairsOf(text: string): ReadonlySet<string> {
		const pairs = known.get(text) ?? pairsIn(text);
		known.set(text, pairs);
		return pairs;
	}
}

/** Words next to each other. */
function pairsIn(text: string): Set<string> {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
}

/** 0 to 1. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
	let shared = 0;
	for (const pair of shorter) if (longer.has(pair)) shared++;
	return shared / Math.max(1, shorter.size);
}
