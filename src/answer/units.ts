import type { Section } from "../core/knowledge/section.ts";
import { type Part, sentencesOf } from "./sentences.ts";

interface Formed {
	readonly form: Section["form"];
	readonly text: string;
}

/** Begins an item of a list. */
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

const COMMENT = /^\s*(?:#(?!include|define)|\/\/|--|\/\*|\*|;|"""|''')/;

/** Between the header of a Markdown table and its rows. */
const RULE = /^[\s|:+=-]+$/;

const FENCE = /^\s*(?:`{3,}|~{3,})[^`]*$/;

/** Characters of a line that is quoted whole; a longer one is cut into sentences. */
const LONG_LINE = 240;

/** The parts of a section that can be quoted alone: sentences, items, rows, lines with their comment. */
export function unitsOf({ form, text }: Formed): Part[] {
	if (isProse({ form, text })) return sentencesOf(text);
	const lines = linesOf(text).filter(({ from, to }) => /[\p{L}\p{N}]/u.test(text.slice(from, to)));
	const rows = form === "table" && hasHeader(text) ? lines.slice(1) : lines.filter(saysMore(form, text));
	const units = joined(rows, (unit, line) =>
		goesOn(form, text.slice(unit.from, unit.to), text.slice(line.from, line.to)),
	);
	const isLong = ({ from, to }: Part) => to - from > LONG_LINE && !text.slice(from, to).includes("\n");
	const parts = units.flatMap((unit) => (form !== "table" && isLong(unit) ? within(text, unit) : [unit]));
	return parts.length > 0 ? parts : [{ from: 0, to: text.length }];
}

function joined(lines: readonly Part[], isOne: (unit: Part, line: Part) => boolean): Part[] {
	const units: Part[] = [];
	for (const line of lines) {
		const before = units.at(-1);
		if (before && isOne(before, line)) units[units.length - 1] = { from: before.from, to: line.to };
		else units.push(line);
	}
	return units;
}

/** Whether it is read over its lines; readers of plain text cannot tell. */
export function isProse({ form, text }: Formed): boolean {
	return form === "prose" || (form === "lines" && isFlowing(text));
}

/** Whether the first row of a table names the columns, and the others do not. */
export function hasHeader(text: string): boolean {
	const [first = "", second] = text.split("\n").filter((line) => !RULE.test(line));
	return second !== undefined && first.includes("|") && !/^[^|]{1,80}: /.test(second);
}

/** Lines but those of a record that only name its thing. */
function saysMore(form: Section["form"], text: string): (line: Part) => boolean {
	const [title = ""] = text.split("\n", 1);
	const isRecord = form === "record" && text.includes("\n");
	return ({ from, to }) =>
		!isRecord || !(text.slice(from, to) === title || /^id: /.test(text.slice(from, to)));
}

/** Without rules and fences. */
export function linesOf(text: string): Part[] {
	let from = 0;
	return text.split("\n").flatMap((line) => {
		const start = from;
		from += line.length + 1;
		return RULE.test(line) || FENCE.test(line) ? [] : [{ from: start, to: start + line.length }];
	});
}

function within(text: string, { from, to }: Part): Part[] {
	return sentencesOf(text.slice(from, to)).map((part) => ({ from: from + part.from, to: from + part.to }));
}

/** Whether lines of a plain text are a paragraph that was wrapped. */
function isFlowing(text: string): boolean {
	const lines = text.split("\n");
	const isPlain = lines.every((line) => /^[\p{L}\p{N}"'“„(]/u.test(line) && !/^[^.!?]{1,40}: /.test(line));
	return isPlain && text.length >= 45 * (lines.length - 1);
}

function goesOn(form: Section["form"], unit: string, line: string): boolean {
	if (form === "list") return isQuestion(unit) || (ITEM.test(unit) && !ITEM.test(line));
	if (form === "code") return COMMENT.test(unit.slice(unit.lastIndexOf("\n") + 1));
	return false;
}

/** A question of a list belongs to its answer. */
function isQuestion(unit: string): boolean {
	return unit.endsWith("?") && !unit.includes("\n");
}
