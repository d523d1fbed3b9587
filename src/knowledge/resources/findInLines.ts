import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Line, splitLines } from "../passages/source.ts";

/** Maximum number of words to skip in the search for the next word. */
const LOOK_AHEAD = 2000;
/** Maximum number of word comparisons per document, which take a few tenths of a second. */
const MOST_STEPS = 20_000_000;

/** Locates parts of a text within a range. Parts must be requested in order. */
export type FindInLines = (range: LineRange) => (part: string) => LineRange;

interface Word {
	readonly word: string;
	readonly line: number;
}

/** Finds the fewest lines after the previous part that contain the part's words in order; otherwise, the range. */
export function createFindInLines(source: string): FindInLines {
	let all: readonly Line[] | undefined;
	let steps = 0;
	return (range) => {
		all ??= splitLines(source);
		const lines = steps > MOST_STEPS ? [] : all.slice(range.start - 1, range.end);
		const wordsIn = ({ text, lines: { start: line } }: Line) => wordsOf(text).map((word) => ({ word, line }));
		const words: readonly Word[] = lines.flatMap(wordsIn);
		steps += words.length;
		let cursor = 0;
		return (part) => {
			const wanted = wordsOf(part);
			const last = lastOf(wanted, words, cursor);
			if (last === undefined) return range;
			const before = words.slice(cursor, last + 1).reverse();
			const first = last - (lastOf(wanted.toReversed(), before, 0) ?? 0);
			cursor = last + 1;
			return { start: words[first]?.line ?? range.start, end: words[last]?.line ?? range.end };
		};
	};

	/** Index of the last matching word. Skips words that the source spells differently. */
	function lastOf(wanted: readonly string[], words: readonly Word[], from: number): number | undefined {
		let last: number | undefined;
		for (const word of wanted) last = nextOf(word, words, last === undefined ? from : last + 1) ?? last;
		return last;
	}

	function nextOf(word: string, words: readonly Word[], from: number): number | undefined {
		const end = Math.min(words.length, steps > MOST_STEPS ? from : from + LOOK_AHEAD);
		let at = from;
		while (at < end && words[at]?.word !== word) at++;
		steps += at - from;
		return at < end ? at : undefined;
	}
}

function wordsOf(text: string): readonly string[] {
	return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
