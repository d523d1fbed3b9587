/** A sentence, or a line that is one by itself. */
export interface Sentence {
	readonly text: string;
	/** Whether it begins a paragraph, an item or a row: what stands before speaks of something else. */
	readonly begins: boolean;
}

/** Characters; a longer sentence is cut at a space. */
const LONGEST = 600;

/** A full stop after these does not end a sentence. */
const ABBREVIATION =
	/(?:^|[\s([„“"'])(?:\p{L}|[A-Z]\.[A-Z]|e\.g|i\.e|etc|cf|vs|al|ca|approx|eds|est|inc|ltd|co|corp|jr|sr|st|mt|ft|mr|mrs|ms|dr|prof|rev|hon|gen|col|lt|sgt|capt|gov|sen|rep|u\.s|u\.k|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.b|bzw|usw|d\.h)$/iu;

/** Nor after these, before a number. */
const BEFORE_NUMBER = /(?:^|[\s(])(?:nos?|nr|vol|figs?|eqs?|ch|sec|pp?|ed|art|part|item)$/i;

/** An end with what closes it, and the white space behind it; marks of other scripts need none. */
const END = /[.!?…؟۔।]+[)\]"'»”’*_]*(?:\[[^\]\s]{0,40}\])*\s+|[。！？]+[」』）”]*/gu;

/** What begins an item of a list, a comment or a quotation, and what ends one. */
const MARK = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|#{1,6}|\/\/+|--)\s+|"""|''')+/u;
const CLOSING = /\s*(?:"""|''')$/;

/** Lines that each say something by themselves: items, rows, code. */
const BY_ITSELF =
	/^(?:\t| {2,}|\s*(?:[-*+•#]|\d+[.)]|\||\/\/|"""|@|(?:def|class|function|import|from|return|const|let|var|export)\s|\p{L}[^\n,;|]*[,;|\t][^\n ]*[,;|\t])|.*(?: \| |[;{}=]$)|\w+ = )/mu;

const COMMENT = /^\s*(?:#|\/\/|--|\/\*|"""|''')/;
const CODE = /[=({:]/;

/** The sentences of a text, in order: paragraphs flow over their lines; items, rows and code do not. */
export function sentencesOf(text: string): Sentence[] {
	return text.split(/\n\s*\n/).flatMap((block) => {
		if (!BY_ITSELF.test(block)) return split(block);
		return unitsOf(block.split("\n")).flatMap((unit) =>
			unit.length > 1 ? whole(unit.join("\n")) : split(unit[0] ?? ""),
		);
	});
}

/** Single lines; but a comment is one with the code below it, and so is a head with the words that explain it. */
function unitsOf(lines: readonly string[]): string[][] {
	const units: string[][] = [];
	for (const line of lines) {
		const before = units.at(-1)?.at(-1) ?? "";
		if (belongsTo(before, line)) units.at(-1)?.push(line);
		else units.push([line]);
	}
	return units;
}

function belongsTo(before: string, line: string): boolean {
	if (COMMENT.test(before)) return !/["']{3}\s*$/.test(before) && (COMMENT.test(line) || CODE.test(line));
	return /[:{]\s*$/.test(before) && COMMENT.test(line) && CODE.test(before.slice(0, -1));
}

function split(block: string): Sentence[] {
	const parts: string[] = [];
	const text = block.replace(MARK, "");
	let from = 0;
	for (const { 0: end, index } of text.matchAll(END)) {
		const stop = index + end.length;
		if (!endsAt(text, index, stop)) continue;
		parts.push(text.slice(from, stop));
		from = stop;
	}
	return [...parts, text.slice(from)]
		.flatMap(cut)
		.map((sentence, index) => ({ text: sentence, begins: index === 0 }));
}

/** Whether what follows begins a sentence, and what stands before is no abbreviation. */
function endsAt(text: string, index: number, next: number): boolean {
	if (/[。！？]/.test(text[index] ?? "")) return true;
	if (/^\p{Ll}/u.test(text.slice(next, next + 2))) return false;
	if (text[index] !== ".") return true;
	const before = text.slice(Math.max(0, index - 8), index);
	return (
		!ABBREVIATION.test(before) && !(BEFORE_NUMBER.test(before) && /^\d/.test(text.slice(next, next + 1)))
	);
}

function whole(text: string): Sentence[] {
	return cut(text.replace(MARK, "")).map((piece) => ({ text: piece, begins: true }));
}

/** What there is to read, in pieces that are not too long. */
function cut(text: string): string[] {
	const trimmed = text.trim().replace(CLOSING, "");
	if (!/[\p{L}\p{N}]/u.test(trimmed)) return [];
	if (trimmed.length <= LONGEST) return [trimmed];
	const space = trimmed.lastIndexOf(" ", LONGEST);
	const at = space > LONGEST / 2 ? space : wholeCharacter(trimmed, LONGEST);
	return [trimmed.slice(0, at), ...cut(trimmed.slice(at))];
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
	return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;
}
