/** A part of a text, with its offsets. */
export interface Part {
	readonly from: number;
	readonly to: number;
}

/** A full stop after these does not end a sentence. */
const ABBREVIATION =
	/(?:^|[\s([„“"'])(?:\p{L}|[A-Z]\.[A-Z]|e\.g|i\.e|etc|cf|vs|al|ca|approx|eds|est|inc|ltd|co|corp|jr|sr|st|mt|ft|mr|mrs|ms|dr|prof|rev|hon|gen|col|lt|sgt|capt|gov|sen|rep|u\.s|u\.k|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\.b|bzw|usw|d\.h|tel|str|inkl)$/iu;

/** Nor after these, before a number. */
const BEFORE_NUMBER = /(?:^|[\s(])(?:nos?|nr|vol|figs?|eqs?|ch|sec|pp?|ed|art|part|item)$/i;

/** German writes ordinals with a full stop: `am 3. Mai`, `der 2. Vorsitzende`. */
const ORDINAL = /(?:^|[\s(])\d{1,2}$/;

/** An end with its closing marks, and the white space behind it; marks of other scripts need none. */
const END = /[.!?…؟۔।]+[)\]"'»”’*_]*(?:\[[^\]\s]{0,40}\])*\s+|[。！？]+[」』）”]*/gu;

/** Characters; a longer sentence is cut at a space. */
const LONGEST = 600;

/** The sentences of running text, in order; white space between them belongs to none. */
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

/** Whether the text after a mark begins a sentence, and the text before it is no abbreviation. */
function endsAt(text: string, index: number, next: number): boolean {
	if (/[。！？]/.test(text[index] ?? "")) return true;
	if (/^\p{Ll}/u.test(text.slice(next, next + 2))) return false;
	if (text[index] !== ".") return true;
	const before = text.slice(Math.max(0, index - 8), index);
	if (ORDINAL.test(before) && /^\p{Lu}/u.test(text.slice(next, next + 2))) return false;
	return (
		!ABBREVIATION.test(before) && !(BEFORE_NUMBER.test(before) && /^\d/.test(text.slice(next, next + 1)))
	);
}

function cut(text: string, { from, to }: Part): Part[] {
	if (to - from <= LONGEST) return [{ from, to }];
	const space = text.lastIndexOf(" ", from + LONGEST);
	const at = space > from + LONGEST / 2 ? space : wholeCharacter(text, from + LONGEST);
	return [{ from, to: at }, ...cut(text, { from: at, to })];
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
	return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;
}
