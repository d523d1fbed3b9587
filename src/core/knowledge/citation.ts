import { formatPlace, PLACE, PLACE_END, type Place, readPlace } from "./place.ts";
import { createSpelling } from "./spelling.ts";

/** A place in a source, as models read and write it: `[docs/atlas.md:12-18]`, `[report.pdf:p12]`. */
export interface Citation {
	readonly path: string;
	readonly lines: Place;
}

/** A citation, and its path as it stands in a text. */
export interface SpelledCitation {
	readonly citation: Citation;
	readonly written: string;
}

/** One in its text, with the offset and the length of its brackets. */
export interface WrittenCitation extends SpelledCitation {
	readonly offset: number;
	readonly length: number;
}

/** Brackets and line breaks of a path are escaped, and the colon before what looks like a place at its end. */
const CITATION = new RegExp(`\\[([^[\\]\\n]+?):(${PLACE})\\]`, "g");

const NAMED_PLACE = new RegExp(`^(.+?):(${PLACE})$`, "s");

/** The end of one up to its bracket, and how long that is at most. */
const ENDING = new RegExp(`.:${PLACE}$`, "s");
const LONGEST_ENDING = 230;

/** In a path, what would end it, cannot be seen, looks like something else, or is lost when it is copied. */
const PATHS = createSpelling(
	new RegExp(
		`%(?=[\\da-f]{2})|[[\\]\`]|^ | $| (?= )|:(?=${PLACE_END}$)|(?! )\\p{Zs}|[\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Default_Ignorable_Code_Point}]`,
		"giu",
	),
);

export function formatCitation({ path, lines }: Citation): string {
	return `[${escapePath(path)}:${formatPlace(lines)}]`;
}

/** A path as citations spell it: on one line, every character visible, percent signs in the place of some. */
export function escapePath(path: string): string {
	return PATHS.write(path);
}

/** The counterpart of `escapePath`; what is not its spelling is a path as it stands. */
export function readPath(written: string): string {
	return PATHS.read(written);
}

export function citationsIn(text: string): WrittenCitation[] {
	return [...text.matchAll(CITATION)].map(read);
}

/** What a person or a model writes without brackets, `docs/a.md:3-9`: the path as it stands, and the place. */
export function splitPlace(text: string): { readonly path: string; readonly lines: Place } | undefined {
	const [, path, place = ""] = NAMED_PLACE.exec(text) ?? [];
	const lines = readPlace(place);
	return path === undefined || !lines ? undefined : { path, lines };
}

export function citationAt(text: string, offset: number): WrittenCitation | undefined {
	const here = new RegExp(CITATION, "y");
	here.lastIndex = offset;
	const match = here.exec(text);
	return match ? read(match) : undefined;
}

function read(match: RegExpExecArray): WrittenCitation {
	const [whole, written = "", place = ""] = match;
	const lines = readPlace(place) ?? { start: 1, end: 1 };
	return { citation: { path: readPath(written), lines }, written, offset: match.index, length: whole.length };
}

/** A text whose brackets cite nothing: what a source says, or a model wrote itself, must not count as shown. */
export function uncited(text: string): string {
	return keepCitations(text, () => false).text;
}

/** A text in which only these citations keep their brackets, and how many lost them; in one pass, however they are nested. */
export function keepCitations(
	text: string,
	isKept: (one: SpelledCitation) => boolean,
): { readonly text: string; readonly lost: number } {
	const { loose } = weighBrackets(text, isKept);
	return { text: withBrackets(text, loose), lost: loose.size / 2 };
}

/** A text that begins no citation which what is written after it could end. */
export function closed(text: string): string {
	const { open } = weighBrackets(text, () => true);
	return withBrackets(text, new Map(open.map((at) => [at, "("])));
}

function withBrackets(text: string, brackets: ReadonlyMap<number, string>): string {
	const pieces: string[] = [];
	let from = 0;
	for (const [at, bracket] of [...brackets].sort(([a], [b]) => a - b)) {
		pieces.push(text.slice(from, at), bracket);
		from = at + 1;
	}
	return pieces.join("") + text.slice(from);
}

/** Where the first citation begins that what follows the text may still end; its length where there is none. */
export function settledLength(text: string): number {
	return weighBrackets(text, () => false).open[0] ?? text.length;
}

interface Brackets {
	/** Offsets of brackets that must not cite, with what takes their place. */
	readonly loose: ReadonlyMap<number, string>;
	/** Offsets of those that may still begin a citation. */
	readonly open: readonly number[];
}

/** Around a pair that becomes loose another one may cite, and no path is spelled like that. */
function weighBrackets(text: string, isKept: (one: SpelledCitation) => boolean): Brackets {
	const loose = new Map<number, string>();
	const open: number[] = [];
	let innermost = -1;
	const close = (at: number) => {
		const begin = open.pop();
		if (begin === undefined || !mayEnd(text, begin, at)) return false;
		if (begin === innermost && citationsIn(text.slice(begin, at + 1)).some(isKept)) return false;
		loose.set(begin, "(").set(at, ")");
		return true;
	};
	for (const { 0: character, index } of text.matchAll(/[[\]\n]/g)) {
		if (character === "[") {
			open.push(index);
			innermost = index;
		} else if (character === "\n" || !close(index)) open.length = 0;
	}
	return { loose, open };
}

function mayEnd(text: string, begin: number, end: number): boolean {
	// Most brackets hold something else, and there may be very many of them.
	if (!/\d$/.test(text.charAt(end - 1)) || end - begin < 4) return false;
	return ENDING.test(text.slice(Math.max(begin + 1, end - LONGEST_ENDING), end));
}
