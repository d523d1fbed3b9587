import { memoize } from "../base/jobs/lazily.ts";

/** Minimum share of the word pairs of the shorter text that are also in the other text. */
const CONTAINED = 0.6;

export type Repetitions = (text: string, other: string) => boolean;

/** Containment of shingles (Broder, On the resemblance and containment of documents, 1997). Caches shingles. */
export function createRepetitions(): Repetitions {
	const pairsOf = memoize(pairsIn);
	return (text, other) => overlapOf(pairsOf(text), pairsOf(other)) >= CONTAINED;
}

/** Constants of the hash FNV-1a. */
const EMPTY_WORD = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Factor for the hash of the first word of a pair, so that the order of the words matters. */
const FIRST_OF_PAIR = 0x2c1b3c6d;

/** Hashes of the pairs of adjacent words. Two texts of 1,000 pairs have a collision in 1 of 10,000 cases. */
function pairsIn(text: string): Set<number> {
	const pairs = new Set<number>();
	const folded = text.toLowerCase();
	let before: number | undefined;
	let word = EMPTY_WORD;
	for (let index = 0; index <= folded.length; index++) {
		const code = index < folded.length ? folded.charCodeAt(index) : 0;
		if (isOfWord(code)) word = Math.imul(word ^ code, PRIME);
		else if (word !== EMPTY_WORD) {
			if (before !== undefined) pairs.add((Math.imul(before, FIRST_OF_PAIR) ^ word) >> 1);
			before = word;
			word = EMPTY_WORD;
		}
	}
	return pairs;
}

/** Kinds of UTF-16 code units: 1 for letters and digits, 2 for others, 0 for unknown. */
const kinds = new Uint8Array(2 ** 16);

function isOfWord(code: number): boolean {
	if (kinds[code] === 0) kinds[code] = /[\p{L}\p{N}\p{Cs}]/u.test(String.fromCharCode(code)) ? 1 : 2;
	return kinds[code] === 1;
}

function overlapOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
	const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
	let shared = 0;
	for (const pair of shorter) if (longer.has(pair)) shared++;
	return shared / Math.max(1, shorter.size);
}
