import { createHash } from "node:crypto";
import { memoize } from "../base/jobs/lazily.ts";
import type { Citation, Place } from "../core/knowledge/citation.ts";
import type { CitedSpan } from "../core/session/journalEntry.ts";
import { wordsIn } from "./sourceText.ts";

const MOST_IDENTIFYING_WORDS = 24;
const TELLING = 4;
const LEAST_SHARE_OF_WORDS = 0.6;
/** Maximum product of lines and lines per window. In larger files, changed lines are not searched for. */
const WORK = 5_000_000;

export type SpanState =
	| { readonly kind: "same" }
	/** The same text is at other lines. */
	| { readonly kind: "moved"; readonly lines: Place }
	/** The text has changed; `lines` are the most similar lines, if any. */
	| { readonly kind: "changed"; readonly lines?: Place };

/** Creates data that recognizes the cited lines without revealing their text. */
export function fingerprint(citation: Citation, text: string): CitedSpan {
	const words = [...new Set(wordsIn(text))].filter((word) => word.length >= TELLING);
	const telling = words
		.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
		.slice(0, MOST_IDENTIFYING_WORDS);
	return { path: citation.path, lines: citation.lines, hash: hashOf(text), words: telling.map(markOf) };
}

/** Looks for cited lines in a file: at the old position, then elsewhere, then for similar lines. */
export function findAgain(span: CitedSpan, file: string): SpanState {
	const lines = file.split("\n");
	const { start, end } = span.lines;
	/** Ignores indentation and blank lines. */
	const isSame = (from: number, to: number) => hashOf(lines.slice(from, to).join("\n")) === span.hash;
	if (isSame(start - 1, end)) return { kind: "same" };
	const height = Math.min(end, lines.length) - start + 1;
	const counts = countsByWindow(span, lines, height);
	const best = Math.max(0, ...counts);
	if (best === 0 || best < LEAST_SHARE_OF_WORDS * span.words.length) return { kind: "changed" };
	// Among equally similar lines, prefers those nearest to the old position.
	const near = [...counts.keys()]
		.filter((at) => counts[at] === best)
		.sort((a, b) => Math.abs(a + 1 - start) - Math.abs(b + 1 - start));
	const rangeAt = (at: number) => {
		return { ...span.lines, start: at + 1, end: Math.min(lines.length, at + height) };
	};
	const whole = near.find((at) => isSame(at, at + height));
	if (whole !== undefined) return { kind: "moved", lines: rangeAt(whole) };
	return { kind: "changed", lines: rangeAt(near[0] ?? 0) };
}

/** For each first line, the number of identifying words in the `height` lines from there. */
function countsByWindow({ words }: CitedSpan, lines: readonly string[], height: number): number[] {
	if (lines.length * height > WORK) return [];
	const wanted = new Set(words);
	const markAt = memoize(markOf);
	const known = lines.map((line) => {
		const telling = wordsIn(line).filter((word) => word.length >= TELLING);
		return telling.map(markAt).filter((mark) => wanted.has(mark));
	});
	return lines.map((_, at) => new Set(known.slice(at, at + height).flat()).size);
}

function hashOf(text: string): string {
	const lines = text.normalize("NFC").split("\n");
	const bare = lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
	return digest(bare.join("\n"), 32);
}

/** A hash so short that many words have the same, so that no word can be recovered with certainty. */
function markOf(word: string): string {
	return digest(word, 6);
}

function digest(text: string, length: number): string {
	return createHash("sha256").update(text).digest("hex").slice(0, length);
}
