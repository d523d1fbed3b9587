import { piecesOf } from "../../core/knowledge/citation.ts";

/** Converts an answer for other programs: citations become footnotes, and escapes are removed. */
export function footnoted(answer: string): string {
	const numbers = new Map<string, number>();
	const pieces = piecesOf(answer).map((piece) => {
		if (typeof piece === "string") return piece;
		const { offset, length } = piece;
		const place = answer.slice(offset + 1, offset + length - 1);
		const number = numbers.get(place) ?? numbers.size + 1;
		numbers.set(place, number);
		return `[^${number}]`;
	});
	const text = unescaped(pieces.join("")).trim();
	const notes = Array.from(numbers, ([place, number]) => `[^${number}]: ${place}`);
	return notes.length === 0 ? text : `${text}\n\n${notes.join("\n")}`;
}

/** Code, which stays unchanged, or an escaped character outside code. */
const WRITTEN = /(?<code>(?<ticks>`+)[\s\S]*?\k<ticks>)|\\(?<sign>[!-/:-@[-`{-~])|&#(?<number>\d+);|&amp;/g;

export function unescaped(markdown: string): string {
	return markdown.replace(WRITTEN, (...match) => {
		const { code, sign, number } = match.at(-1) as Readonly<Record<string, string | undefined>>;
		return code ?? sign ?? (number === undefined ? "&" : String.fromCodePoint(Number(number)));
	});
}
