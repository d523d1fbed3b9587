import type { LineRange } from "../../core/knowledge/source.ts";
import { type Line, splitLines } from "../passages/lines.ts";

/** Words of a source that are passed over to find the next one of a text. */
const LOOK_AHEAD = 2000;

/** Words that are looked at in one document: some tenths of a second. */
const MOST_STEPS = 20_000_000;

/** Tells where the parts of a text stand, which are asked for in their order. */
type FindPart = (part: string) => LineRange;

export type FindInLines = (range: LineRange) => FindPart;

interface Word {
	readonly word: string;
	readonly line: number;
}

/**
 * Finds the parts of texts whose lines are known. What a page or a file says, with markup, comments and escapes between
 * its words, has the words of its text in their order: a part stands in the fewest lines that have all of its words, after
 * the part before. In all lines where they cannot be found.
 */
export function createFindInLines(source: string): FindInLines {
	let all: readonly Line[] | undefined;
	let steps = 0;
	return (range) => {
		all ??= splitLines(source);
		const lines = steps > MOST_STEPS ? [] : all.slice(range.start - 1, range.end);
		const words = lines.flatMap(({ text, lines: { start } }) =>
			wordsOf(text).map((word): Word => ({ word, line: start })),
		);
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

	/** Where all of the wanted words have come, one after the other, without those that the source writes otherwise. */
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
