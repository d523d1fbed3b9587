/** A cited place in a source, written as `[docs/atlas.md:12-18]` or `[report.pdf:p12]`. */
export interface Citation {
	readonly path: string;
	readonly lines: Place;
}

export interface SpelledCitation {
	readonly citation: Citation;
	readonly written: string;
}

/** A citation in a text. Offset and length include the brackets. */
export interface WrittenCitation extends SpelledCitation {
	readonly offset: number;
	readonly length: number;
}

/** Last line of a citation of a whole part, such as `p12`. */
export const LAST_LINE = 999_999_999;
/** A row number beyond the end of every sheet. */
const LAST_ROW = 9_999_999;

/** A page, slide, chapter or part of a mail, for example `p12`. */
const PART = "(?:p|s|ch|part)\\d{1,6}";
const LINES = "\\d{1,9}(?:-\\d{1,9})?";
const CELL = "[A-Z]{1,3}\\d{1,7}";
const SHEET = `[^:![\\]\\n]{1,200}!${CELL}(?::${CELL})?`;

const PLACE = `(?:${PART}(?::${LINES})?|${LINES}|${SHEET})`;

/** Endings of a path that look like a place. The colon before such an ending must be escaped. */
const PLACE_END = `(?:${PART}|${LINES})`;

const PAGE_PLACE = new RegExp(`^(?:(${PART})(?::|$))?(?:(\\d+)(?:-(\\d+))?)?$`);
const SHEET_PLACE = /^([^:![\]\n]+)!([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/;

/** Brackets and line breaks in the path are escaped, and so is a colon before a place-like ending. */
const CITATION = new RegExp(`\\[([^[\\]\\n]+?):(${PLACE})\\]`, "g");

const NAMED_PLACE = new RegExp(`^(.+?):(${PLACE})$`, "s");

/** The end of a citation before its closing bracket. */
const ENDING = new RegExp(`.:${PLACE}$`, "s");
const LONGEST_ENDING = 230;

/** Characters that would end a path, are invisible or ambiguous, or get lost when a path is copied. */
const PATHS = createSpelling(
	new RegExp(
		`%(?=[\\da-f]{2})|[[\\]\`]|^ | $| (?= )|:(?=${PLACE_END}$)|(?! )\\p{Zs}|[\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Default_Ignorable_Code_Point}]`,
		"giu",
	),
);

export function formatCitation({ path, lines }: Citation): string {
	return `[${escapePath(path)}:${formatPlace(lines)}]`;
}

/** Percent-encodes the characters of a path that a citation must not contain. */
export function escapePath(path: string): string {
	return PATHS.write(path);
}

/** Reverses `escapePath`. An unescaped path is returned unchanged. */
export function readPath(written: string): string {
	return PATHS.read(written);
}

export function citationsIn(text: string): WrittenCitation[] {
	return [...text.matchAll(CITATION)].map(read);
}

export function piecesOf(text: string): (string | WrittenCitation)[] {
	const pieces: (string | WrittenCitation)[] = [];
	let from = 0;
	for (const written of citationsIn(text)) {
		pieces.push(text.slice(from, written.offset), written);
		from = written.offset + written.length;
	}
	return [...pieces, text.slice(from)];
}

/** Splits a text without brackets, such as `docs/a.md:3-9`. The path stays escaped. */
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

/** Replaces the brackets of all citations: text by sources or models must not prove that lines were shown. */
export function uncited(text: string): string {
	return keepCitations(text, () => false).text;
}

/** Replaces the brackets of all citations, also nested ones, unless `isKept` holds. Counts the replaced citations. */
export function keepCitations(text: string, isKept: (one: SpelledCitation) => boolean) {
	const { loose } = weighBrackets(text, isKept);
	return { text: withBrackets(text, loose), lost: loose.size / 2 };
}

/** Replaces the brackets of unfinished citations, so that text appended later cannot complete them. */
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

/** Length of the text before the first unfinished citation, which further text may complete. */
export function settledLength(text: string): number {
	return weighBrackets(text, () => false).open[0] ?? text.length;
}

/** Finds the brackets of all citations to replace, including citations nested in another citation. */
function weighBrackets(text: string, isKept: (one: SpelledCitation) => boolean) {
	/** Replacement characters by offset. `open` has the offsets of brackets that may begin a citation. */
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
	// Fast path: a text may have very many brackets, and most brackets are not citations.
	if (!/\d$/.test(text.charAt(end - 1)) || end - begin < 4) return false;
	return ENDING.test(text.slice(Math.max(begin + 1, end - LONGEST_ENDING), end));
}

/** Cited place: lines of a text, lines of a part of an extracted file, or rows of a sheet. */
export interface Place extends LineRange {
	/** Page, slide, chapter or part in which lines are counted, such as `p12`, or the name of a sheet. */
	readonly part?: string;
	readonly columns?: string;
}

export type PlaceOf = (uri: string, lines: LineRange) => Place;

/** Characters that would end a sheet's name, are invisible, or get lost when the name is copied. */
const SHEETS = createSpelling(
	/%(?=[\da-f]{2})|[:![\]`]|^ | $| (?= )|(?! )\p{Zs}|[\p{Zl}\p{Zp}\p{C}\p{Default_Ignorable_Code_Point}]/giu,
);

/** Formats a place as `12-18`, `p12`, `p12:3-9` or `Sheet1!A12:F12`. */
export function formatPlace({ part, columns, start, end }: Place): string {
	const lines = end > start ? `${start}-${end}` : `${start}`;
	if (part === undefined) return lines;
	if (columns !== undefined) return `${SHEETS.write(part)}!${cellsOf(columns, start, end)}`;
	return end >= LAST_LINE && start <= 1 ? part : `${part}:${lines}`;
}

/** Formats the beginning of a place for a label: `12`, `p12` or `Sheet1!A12`. */
export function briefPlace({ part, columns, start }: Place): string {
	if (part === undefined) return `${start}`;
	return columns === undefined ? part : `${SHEETS.write(part)}!${columns.replace(/:.*$/, "")}${start}`;
}

export function readPlace(text: string): Place | undefined {
	const sheet = SHEET_PLACE.exec(text);
	if (sheet) return sheetPlace(sheet);
	const [, part, first, last = first] = PAGE_PLACE.exec(text) ?? [];
	if (first === undefined) return part === undefined ? undefined : { part, start: 1, end: LAST_LINE };
	const lines = rangeOf(Number(first), Number(last));
	return part === undefined ? lines : { part, ...lines };
}

export function overlap(a: Place, b: Place): number {
	if (a.part !== b.part) return 0;
	return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1);
}

function sheetPlace([, name = "", left = "", first, right = left, last = first]: RegExpExecArray): Place {
	return { part: SHEETS.read(name), columns: `${left}:${right}`, ...rangeOf(Number(first), Number(last)) };
}

function rangeOf(start: number, end: number): LineRange {
	return { start, end: Math.max(start, end) };
}

function cellsOf(columns: string, start: number, end: number): string {
	const [left = "", right = left] = columns.split(":");
	const isOne = left === right && end <= start;
	return isOne ? `${left}${start}` : `${left}${start}:${right}${Math.min(end, LAST_ROW)}`;
}

/** Lines of a source file: 1-based, both ends included. */
export interface LineRange {
	readonly start: number;
	readonly end: number;
}

/** Maximum number of lines of a quote in an answer. Readers cannot find anything in a longer quote. */
export const MOST_QUOTED_LINES = 12;

/** Maximum number of cited lines, because users have to read them. A longer supported text may exceed the limit. */
export const MOST_LINES = 60;

/** Ranges with a gap of at most this many lines are merged into one place. */
const GAP_LINES = 3;

/** Merges nearby ranges, which must be sorted, and counts the ranges of each place. */
export function placesAmong(ranges: readonly LineRange[], gap = GAP_LINES) {
	const places: { lines: LineRange; count: number }[] = [];
	for (const lines of ranges) {
		const place = places.at(-1);
		if (place && lines.start - place.lines.end <= gap) {
			place.lines = { start: place.lines.start, end: Math.max(place.lines.end, lines.end) };
			place.count++;
		} else places.push({ lines, count: 1 });
	}
	return places;
}

export function heightOf({ start, end }: LineRange): number {
	return end - start + 1;
}

/** Percent-encodes the characters that `unsafe` matches one by one. */
function createSpelling(unsafe: RegExp) {
	const write = (name: string) => name.replace(unsafe, encode);
	return {
		write,
		/** Reverses `write`. An unencoded name is returned unchanged. */
		read: (written: string) => {
			const name = written.replace(/(?:%[\dA-F]{2})+/g, decode);
			return write(name) === written ? name : written;
		},
	};
}

function encode(character: string): string {
	return encodeURIComponent(character.toWellFormed()).replace("!", "%21");
}

/** Decodes percent escapes; returns the text unchanged if the escapes are not UTF-8. */
export function decode(escaped: string): string {
	try {
		return decodeURIComponent(escaped);
	} catch {
		return escaped;
	}
}
