import { decodeEntities } from "../../base/words/entities.ts";
import { shorten } from "../passages/source.ts";

/** Maximum number of characters of a cell or an item. */
export const MAX_TEXT = 4000;

/** Character that the text must contain, pattern of the markup, and replacement. */
const MARKS: readonly (readonly [string, RegExp, string])[] = [
	["[", /!?\[\[(?:[^[\]|]{1,300}\|)?([^[\]|]{1,300})\]\]/g, "$1"],
	["[", /!?\[([^[\]]{0,500})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,300}\])/g, "$1"],
	["<", /<((?:https?|mailto):[^\s<>]{1,1000})>/g, "$1"],
	["<", /<\/?[a-z][^<>]{0,500}>/gi, " "],
	["`", /(`+)([^`]{1,1000})\1/g, "$2"],
	["**", /(\*\*\*|\*\*)(?=\S)(.{1,1000}?)(?<=\S)\1/g, "$2"],
	["__", /(___|__)(?=\S)(.{1,1000}?)(?<=\S)\1/g, "$2"],
	["~~", /~~(?=\S)(.{1,1000}?)(?<=\S)~~/g, "$1"],
	["*", /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]{1,1000}?)(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu, "$1"],
	["_", /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,1000}?)(?<=[^\s_])_(?![\p{L}\p{N}_])/gu, "$1"],
	["\\", /\\([!-/:-@[-`{-~])/g, "$1"],
];

/** The text without its marks, shortened to the length of a cell or item. */
export function plainMarkdown(text: string): string {
	if (!/[*_`[<\\~&]/.test(text)) return text;
	let plain = shorten(text, MAX_TEXT);
	for (const [sign, mark, words] of MARKS) if (plain.includes(sign)) plain = plain.replace(mark, words);
	return decodeEntities(plain);
}
