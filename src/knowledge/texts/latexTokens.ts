import type { LineRange } from "../../core/knowledge/source.ts";

/** The end of a table's row, or a line break elsewhere. */
export const ROW = "\uE000";
/** Between two cells of a row. */
export const CELL = "\uE002";
/** Between two authors. */
export const AND = "\uE001";

/** What a token stands for: text that is kept as it is, or what to do at its line. */
export type Meaning = string | ((lines: LineRange) => void);

export type Tokens = ReturnType<typeof createTokens>;

const FIRST_TOKEN = 0xf0000;
export const ANY_TOKEN = /[\u{F0000}-\u{10FFFF}]/gu;
/** Is in the place of what is omitted, so that its line is not an empty one. */
export const NOTHING = String.fromCodePoint(FIRST_TOKEN);

export function isToken(piece: string): boolean {
	return (piece.codePointAt(0) ?? 0) >= FIRST_TOKEN;
}

/** Characters of no meaning of their own that are in place of something. */
export function createTokens() {
	const meanings: Meaning[] = [""];
	const meaningOf = (token: string): Meaning => meanings[(token.codePointAt(0) ?? 0) - FIRST_TOKEN] ?? "";
	return {
		keep: (meaning: Meaning): string => {
			// A text with more of them than there are characters for loses the last ones.
			if (FIRST_TOKEN + meanings.length > 0x10ffff) return typeof meaning === "string" ? meaning : "";
			return String.fromCodePoint(FIRST_TOKEN + meanings.push(meaning) - 1);
		},
		meaningOf,
		/** The text without tokens; what they do is done at the lines given. */
		textOf: (written: string, lines: LineRange): string =>
			readable(written).replace(ANY_TOKEN, (token) => {
				const meaning = meaningOf(token);
				if (typeof meaning === "string") return meaning;
				meaning(lines);
				return "";
			}),
	};
}

/** Quotation marks and dashes as they are printed; what separates cells, rows and authors as text. */
export function readable(text: string): string {
	return text.replace(/``|''|---?|[`~\uE000-\uE002]/g, (written) => PRINTED.get(written) ?? written);
}

const PRINTED: ReadonlyMap<string, string> = new Map([
	["``", "“"],
	["''", "”"],
	["---", "—"],
	["--", "–"],
	["`", "‘"],
	["~", " "],
	[ROW, " "],
	[AND, "; "],
	[CELL, "&"],
]);
