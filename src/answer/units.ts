import { runsOf } from "../base/values.ts";
import type { Section } from "../core/knowledge/section.ts";

interface Formed {
	readonly form: Section["form"];
	readonly text: string;
}

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

const COMMENT = /^\s*(?:#(?!include|define)|\/\/|--|\/\*|\*|;|"""|''')/;

const RULE = /^[\s|:+=-]+$/;

const FENCE = /^\s*(?:`{3,}|~{3,})[^`]*$/;

/** Maximum number of characters of a line that is quoted whole. Longer lines are divided into sentences. */
const LONG_LINE = 240;

/** The parts of a section that can be quoted alone: sentences, items, rows, or lines with their comments. */
export function unitsOf(section: Formed): TextPart[] {
	return partsOf(section).map(({ from, to }) => ({ from, to, text: section.text.slice(from, to) }));
}

function partsOf({ form, text }: Formed): Part[] {
	if (isProse({ form, text })) return sentencesOf(text);
	const lines = linesOf(text).filter(({ from, to }) => /[\p{L}\p{N}]/u.test(text.slice(from, to)));
	const rows = form === "table" && hasHeader(text) ? lines.slice(1) : lines.filter(saysMore(form, text));
	const said = ({ from, to }: Part) => text.slice(from, to);
	const spanOf = (run: readonly Part[]): Part => ({ from: run[0]?.from ?? 0, to: run.at(-1)?.to ?? 0 });
	const units = runsOf(rows, (run, line) => goesOn(form, said(spanOf(run)), said(line))).map(spanOf);
	const isLong = (unit: Part) => unit.to - unit.from > LONG_LINE && !said(unit).includes("\n");
	const parts = units.flatMap((unit) => (form !== "table" && isLong(unit) ? within(text, unit) : [unit]));
	return parts.length > 0 ? parts : [{ from: 0, to: text.length }];
}

/** Whether sentences continue across line breaks, which is guessed for plain text. */
export function isProse({ form, text }: Formed): boolean {
	return form === "prose" || (form === "lines" && isFlowing(text));
}

const FIELD = /^\s*(?:- )?["\w.-]+:(?: |$)/;

export function isData({ form, text }: Formed): boolean {
	const lines = text.split("\n");
	return form === "lines" && lines.filter((line) => FIELD.test(line)).length * 2 >= lines.length;
}

/** Whether the first row of a table has names of columns, which the other rows do not repeat. */
export function hasHeader(text: string): boolean {
	const [first = "", second] = text.split("\n").filter((line) => !RULE.test(line));
	return second !== undefined && first.includes("|") && !/^[^|]{1,80}: /.test(second);
}

export function headerOf({ form, text }: Formed): string {
	return form === "table" && hasHeader(text) ? (text.split("\n", 1)[0] ?? "") : "";
}

/** Returns a test for lines that state more than the name of a record's resource. */
function saysMore(form: Section["form"], text: string): (line: Part) => boolean {
	const [title = ""] = text.split("\n", 1);
	const isRecord = form === "record" && text.includes("\n");
	return ({ from, to }) =>
		!isRecord || !(text.slice(from, to) === title || /^id: /.test(text.slice(from, to)));
}

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

/** A question in a list forms one part with its answer. */
function isQuestion(unit: string): boolean {
	return unit.endsWith("?") && !unit.includes("\n");
}

export interface Part {
	readonly from: number;
	readonly to: number;
}

interface TextPart extends Part {
	readonly text: string;
}

/** Words before a full stop that does not end a sentence. */
const ABBREVIATION =
	/(?:^|[\s([„“"'])(?:\p{L}|[A-Z]\.[A-Z]|e\.g|i\.e|etc|cf|vs|al|ca|approx|eds|est|inc|ltd|co|corp|jr|sr|st|mt|ft|mr|mrs|ms|dr|prof|rev|hon|gen|col|lt|sgt|capt|gov|sen|rep|u\.s|u\.k|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.b|bzw|usw|d\.h|tel|str|inkl)$/iu;

/** Words before a full stop that does not end a sentence if a number follows. */
const BEFORE_NUMBER = /(?:^|[\s(])(?:nos?|nr|vol|figs?|eqs?|ch|sec|pp?|ed|art|part|item)$/i;

/** German ordinals, which have a full stop: `am 3. Mai`, `der 2. Vorsitzende`. */
const ORDINAL = /(?:^|[\s(])\d{1,2}$/;

/** End of a sentence, with closing marks and white space. Some scripts need no white space. */
const END = /[.!?…؟۔।]+[)\]"'»”’*_]*(?:\[[^\]\s]{0,40}\])*\s+|[。！？]+[」』）”]*/gu;

const LONGEST_SENTENCE = 600;

/** The sentences of running text, in order, without the white space between them. */
export function sentencesOf(text: string): Part[] {
	const parts: Part[] = [];
	let from = 0;
	for (const { 0: end, index } of text.matchAll(END)) {
		if (!endsAt(text, index, index + end.length)) continue;
		parts.push({ from, to: index + end.trimEnd().length });
		from = index + end.length;
	}
	parts.push({ from, to: text.length });
	return parts
		.flatMap((part) => cut(text, part))
		.filter(({ from, to }) => /[\p{L}\p{N}]/u.test(text.slice(from, to)));
}

/** Whether the mark at `index` ends a sentence, so that a new one begins at `next`. */
function endsAt(text: string, index: number, next: number): boolean {
	if (/[。！？]/.test(text[index] ?? "")) return true;
	if (/^\p{Ll}/u.test(text.slice(next, next + 2))) return false;
	if (text[index] !== ".") return true;
	const before = text.slice(Math.max(0, index - 8), index);
	if (ORDINAL.test(before) && /^\p{Lu}/u.test(text.slice(next, next + 2))) return false;
	const isNumbered = BEFORE_NUMBER.test(before) && /^\d/.test(text.slice(next, next + 1));
	return !ABBREVIATION.test(before) && !isNumbered;
}

function cut(text: string, { from, to }: Part): Part[] {
	if (to - from <= LONGEST_SENTENCE) return [{ from, to }];
	const space = text.lastIndexOf(" ", from + LONGEST_SENTENCE);
	const at = space > from + LONGEST_SENTENCE / 2 ? space : wholeCharacter(text, from + LONGEST_SENTENCE);
	return [{ from, to: at }, ...cut(text, { from: at, to })];
}

/** Moves a position that would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
	return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;
}
