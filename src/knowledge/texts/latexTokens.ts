import type { LineRange } from "../../core/knowledge/citation.ts";

/** End of a table row, or another line break. */
export const ROW = "\uE000";
/** Between cells. */
export const CELL = "\uE002";
/** Between authors. */
export const AND = "\uE001";

/** Text to keep, or an action at the token's line. */
export type Meaning = string | ((lines: LineRange) => void);

export type Tokens = ReturnType<typeof createTokens>;

const FIRST_TOKEN = 0xf0000;
export const ANY_TOKEN = /[\u{F0000}-\u{10FFFF}]/gu;
/** Replaces omitted text, so that its line is not blank. */
export const NOTHING = String.fromCodePoint(FIRST_TOKEN);

export function isToken(piece: string): boolean {
	return (piece.codePointAt(0) ?? 0) >= FIRST_TOKEN;
}

/** Private characters that represent text or actions. */
export function createTokens() {
	const meanings: Meaning[] = [""];
	const meaningOf = (token: string): Meaning => meanings[(token.codePointAt(0) ?? 0) - FIRST_TOKEN] ?? "";
	return {
		keep: (meaning: Meaning): string => {
			// If all characters are used, further actions are lost.
			if (FIRST_TOKEN + meanings.length > 0x10ffff) return typeof meaning === "string" ? meaning : "";
			return String.fromCodePoint(FIRST_TOKEN + meanings.push(meaning) - 1);
		},
		meaningOf,
		/** Resolves tokens and runs their actions with `lines`. */
		textOf: (written: string, lines: LineRange): string =>
			readable(written).replace(ANY_TOKEN, (token) => {
				const meaning = meaningOf(token);
				if (typeof meaning === "string") return meaning;
				meaning(lines);
				return "";
			}),
	};
}

/** Typographic quotation marks and dashes; separators as text. */
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
