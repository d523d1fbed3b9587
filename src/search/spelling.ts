import { editDistance } from "../base/text/editDistance.ts";
import { fold } from "../base/words/wordTable.ts";
import { plainTerm } from "./analyzer.ts";
import { PHRASE } from "./phrases.ts";

const SHORTEST_CORRECTED = 4;
/** Minimum number of letters of a word that may have two wrong letters. */
const LONG = 10;

const WORD = /(?<![\p{L}\p{N}\p{Pc}.-])\p{L}+(?![\p{L}\p{N}\p{Pc}-]|\.\p{L})/u;

const PHRASE_OR_WORD = new RegExp(`${PHRASE.source}|${WORD.source}`, "gu");

/** Words that may be misspelled. Excludes phrases, and names with digits or joiners. */
export function spelledWords(query: string): string[] {
	const found = [...new Set(query.match(PHRASE_OR_WORD))];
	return found.filter((word) => word.length >= SHORTEST_CORRECTED && /^\p{L}/u.test(word));
}

export function respelled(query: string, forms: ReadonlyMap<string, string>): string {
	return query.replace(PHRASE_OR_WORD, (found) => forms.get(found) ?? found);
}

const MOST = 12;

/** Terms that a misspelled word may mean, nearest first. Ignores endings, because terms are stems. */
export function nearestTerms(word: string, terms: Iterable<string>, isShown = (_term: string) => true) {
	const lower = fold(word.toLowerCase());
	const near = new Map<string, number>();
	for (const term of terms) {
		const plain = plainTerm(term);
		const distance = distanceTo(plain, lower);
		const most = plain.length >= LONG ? 2 : 1;
		if (distance <= most && isShown(term)) near.set(plain, distance - plain.length / 100);
	}
	return [...near]
		.sort(([, a], [, b]) => a - b)
		.slice(0, MOST)
		.map(([term]) => term);
}

/** Edit distance between a stem and a folded word; infinite if the word cannot be a misspelling of the stem. */
function distanceTo(plain: string, lower: string): number {
	const isLike =
		plain[0] === lower[0] && plain.length >= SHORTEST_CORRECTED - 1 && plain.length <= lower.length + 1;
	if (!isLike || lettersMissing(plain, lower) > 2 || !/^\p{L}+$/u.test(plain))
		return Number.POSITIVE_INFINITY;
	const ends = [plain.length - 1, plain.length, plain.length + 1];
	return Math.min(...ends.map((end) => editDistance(lower.slice(0, end), plain)));
}

/** At most the edit distance, and much faster to compute. */
function lettersMissing(plain: string, lower: string): number {
	let missing = 0;
	for (const letter of plain) if (!lower.includes(letter)) missing++;
	return missing;
}

export function isLikely(word: string, other: string): boolean {
	const [a, b] = [fold(word.toLowerCase()), fold(other.toLowerCase())];
	// A short word with one other letter is usually another word: "Rüde" and "Ruhe".
	if (a.length === SHORTEST_CORRECTED && b.length === SHORTEST_CORRECTED) return false;
	return a[0] === b[0] && editDistance(a, b) <= (a.length > SHORTEST_CORRECTED + 1 ? 2 : 1);
}
