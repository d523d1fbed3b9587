import type { BlockRow } from "../passages/passages.ts";
import { type Line, span } from "../passages/source.ts";

const ITEM = /^(\s*)(?:[-*+•]|\d{1,9}[.)])\s+(\S.*)$/;
const CHECKBOX = /^(?:\[([ xX])\]|([☐☑☒]))\s+(?=\S)/;

/** Items of a list; empty if the text does not begin with an item. */
export function itemsOf(lines: readonly Line[]): BlockRow[] {
	const items: { text: string; lines: Line["lines"]; readonly indent: number }[] = [];
	for (const line of lines) {
		const [, indent = "", text = ""] = ITEM.exec(line.text) ?? [];
		const last = items.at(-1);
		if (text !== "") items.push({ text, lines: line.lines, indent: indent.replaceAll("\t", "    ").length });
		else if (!last) return [];
		else if (line.text.trim() !== "") {
			last.text += ` ${line.text.trim()}`;
			last.lines = span(last.lines, line.lines);
		}
	}
	const open: number[] = [];
	return items.map(({ text, lines, indent }) => {
		while (open.length > 0 && (open.at(-1) ?? 0) >= indent) open.pop();
		open.push(indent);
		return toItem(text, lines, open.length - 1);
	});
}

export function toItem(text: string, lines: Line["lines"], depth: number): BlockRow {
	const [, mark = "", sign = ""] = CHECKBOX.exec(text) ?? [];
	const isDone = mark + sign === "" ? undefined : /[xX☑☒]/.test(mark + sign);
	return { cells: [text.replace(CHECKBOX, "")], lines, depth, isDone };
}
