import type { Token } from "markdown-it";
import { decodeEntities } from "../../base/words/entities.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Line, only, shorten } from "../passages/lines.ts";
import type { BlockRow } from "../passages/passages.ts";
import { toItem } from "../records/listItems.ts";

/** Characters of a cell or an item. */
const MAX_TEXT = 4000;

export function rowsAt(
	tokens: readonly Token[],
	index: number,
	lines: readonly Line[],
): BlockRow[] | undefined {
	const type = tokens[index]?.type ?? "";
	const linesOf = ({ map }: Token): LineRange => {
		const [start, end] = map ?? [0, 1];
		const first = lines[start]?.lines ?? only(1);
		return { start: first.start, end: first.start + Math.max(1, end - start) - 1 };
	};
	if (type === "table_open") return tableRows(tokens, index, linesOf);
	return type.endsWith("_list_open") ? items(tokens, index, linesOf) : undefined;
}

type LinesOf = (token: Token) => LineRange;

function tableRows(tokens: readonly Token[], index: number, linesOf: LinesOf): BlockRow[] {
	const rows: { readonly cells: string[]; readonly lines: LineRange; headers: number }[] = [];
	for (let at = index + 1; at < tokens.length && tokens[at]?.type !== "table_close"; at++) {
		const token = tokens[at];
		const row = rows.at(-1);
		if (token?.type === "tr_open") rows.push({ cells: [], lines: linesOf(token), headers: 0 });
		else if (token?.type === "th_open" && row) row.headers++;
		else if (token?.type === "inline" && row) row.cells.push(shorten(token.content, MAX_TEXT));
	}
	return rows;
}

function items(tokens: readonly Token[], index: number, linesOf: LinesOf): BlockRow[] {
	const rows: BlockRow[] = [];
	let depth = 0;
	for (let at = index; at < tokens.length; at++) {
		const token = tokens[at];
		if (token?.type.includes("_list_")) depth += token.nesting;
		if (depth === 0) break;
		const [next, text] = tokens.slice(at + 1, at + 3);
		if (token?.type === "list_item_open" && next?.type === "paragraph_open" && text)
			rows.push(toItem(shorten(text.content, MAX_TEXT), linesOf(text), depth - 1));
	}
	return rows;
}

/** Character to look for, expression, replacement. */
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

export function plainMarkdown(text: string): string {
	if (!/[*_`[<\\~&]/.test(text)) return text;
	let plain = shorten(text, MAX_TEXT);
	for (const [sign, mark, words] of MARKS) if (plain.includes(sign)) plain = plain.replace(mark, words);
	return decodeEntities(plain);
}
