import type { LineRange } from "../../../core/knowledge/citation.ts";
import { type Problem, problemAt } from "../../../core/knowledge/document.ts";
import { lineEnds, only } from "../../passages/source.ts";

/** Key under which an object stores its place, invisible to JSON processing. */
const PLACE: unique symbol = Symbol("place");

export interface Place {
	readonly lines: LineRange;
	/** Lines of each member, from the key to the end of the value. */
	readonly members: ReadonlyMap<string, LineRange>;
}

/** Maximum depth, because JSON-LD processors take more than linear time in depth. */
const MAX_DEPTH = 100;

/** Parses JSON with line numbers. Tolerates some syntax errors; after any other error, `value` is `undefined`. */
export function readLocatedJson(text: string) {
	const scan = createJsonScan(text);
	let value: unknown;
	try {
		value = readValue(scan, 0);
		if (peek(scan) !== "") report(scan, "The text after the end of the JSON is not read.");
	} catch (thrown) {
		if (!(thrown instanceof JsonSyntaxError)) throw thrown;
		report(scan, thrown.message);
	}
	return { value, lines: since(scan, 1), problems: [...scan.problems.values()] };
}

/** Place of a parsed object; `undefined` for other values. */
export function placeOf(value: unknown): Place | undefined {
	return typeof value === "object" && value !== null && PLACE in value ? (value[PLACE] as Place) : undefined;
}

function readValue(scan: JsonScan, depth: number): unknown {
	if (depth > MAX_DEPTH)
		throw new JsonSyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels is not read.`);
	const first = peek(scan);
	if (first === "{") return readObject(scan, depth);
	if (first === "[") return readArray(scan, depth);
	return first === '"' ? readString(scan) : readScalar(scan);
}

function readArray(scan: JsonScan, depth: number): unknown[] {
	const items: unknown[] = [];
	expect(scan, "[");
	while (!closes(scan, "]", items.length > 0)) items.push(readValue(scan, depth + 1));
	return items;
}

function readObject(scan: JsonScan, depth: number): object {
	const members = new Map<string, LineRange>();
	const object: Record<string | symbol, unknown> = {};
	const start = scan.line;
	expect(scan, "{");
	while (!closes(scan, "}", members.size > 0)) {
		const keyLine = scan.line;
		const key = readString(scan);
		expect(scan, ":");
		const value = readValue(scan, depth + 1);
		members.set(key, since(scan, keyLine));
		if (key === "__proto__") report(scan, 'The key "__proto__" is not read.');
		else object[key] = value;
	}
	object[PLACE] = { lines: since(scan, start), members } satisfies Place;
	return object;
}

class JsonSyntaxError extends Error {
	override readonly name = "JsonSyntaxError";
}

/** White space and comments. Pages use comments in JSON although JSON forbids comments. */
const SPACE = /[ \t\r\n]+/y;

const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|<!--|-->|<!\[CDATA\[|\]\]>|\uFEFF/y;

const SCALAR = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y;

const WORD = /[^\s,:{}[\]"]{1,20}|[\s\S]/y;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in a string.
const CONTROL = /[\u0000-\u001f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in a string.
const UNUSUAL = /[\\\u0000-\u001f]/;

type JsonScan = ReturnType<typeof createJsonScan>;

function createJsonScan(text: string) {
	const scan = {
		text,
		offset: 0,
		/** Line of the next token. */
		line: 1,
		endLine: 1,
		/** The last returned range. Adjacent values share a range, because a large file has millions of values. */
		range: only(1),
		problems: new Map<string, Problem>(),
	};
	skipSpace(scan);
	return scan;
}

function peek({ text, offset }: JsonScan): string {
	return text[offset] ?? "";
}

function expect(scan: JsonScan, character: string): void {
	if (peek(scan) !== character) refuse(scan, `"${character}"`);
	moveTo(scan, scan.offset + 1);
}

/** Reads a closing bracket and returns true, or reads the comma before the next item. */
function closes(scan: JsonScan, bracket: string, hasItems: boolean): boolean {
	if (hasItems && peek(scan) !== bracket) {
		expect(scan, ",");
		if (peek(scan) === bracket)
			report(scan, "JSON does not allow a comma after the last item. The comma is ignored.");
	}
	if (peek(scan) !== bracket) return false;
	expect(scan, bracket);
	return true;
}

function readString(scan: JsonScan): string {
	if (peek(scan) !== '"') refuse(scan, "a string");
	const { text, offset } = scan;
	const close = closingQuote(text, offset);
	if (close < 0) throw new JsonSyntaxError("This is not JSON: a string does not end.");
	const value = unescapeString(scan, text.slice(offset + 1, close));
	moveTo(scan, close + 1);
	return value;
}

function readScalar(scan: JsonScan): number | boolean | null {
	const word = match(scan, SCALAR);
	if (word === "") refuse(scan, "a value");
	moveTo(scan, scan.offset + word.length);
	return JSON.parse(word);
}

function since(scan: JsonScan, start: number): LineRange {
	const { range, endLine } = scan;
	if (range.start !== start || range.end !== endLine) scan.range = { start, end: endLine };
	return scan.range;
}

function report(scan: JsonScan, message: string): void {
	if (!scan.problems.has(message)) scan.problems.set(message, problemAt(scan.line, message));
}

function refuse(scan: JsonScan, wanted: string): never {
	const found = match(scan, WORD) || "the end of the text";
	throw new JsonSyntaxError(`This is not JSON: expected ${wanted}, found ${found}.`);
}

function closingQuote(text: string, opening: number): number {
	let close = text.indexOf('"', opening + 1);
	while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
	return close;
}

function isEscaped(text: string, offset: number): boolean {
	let backslashes = 0;
	while (text[offset - 1 - backslashes] === "\\") backslashes++;
	return backslashes % 2 === 1;
}

function unescapeString(scan: JsonScan, content: string): string {
	if (!UNUSUAL.test(content)) return content;
	const escaped = content.replace(CONTROL, (character) => JSON.stringify(character).slice(1, -1));
	if (escaped !== content) report(scan, "A string contains control characters that should be escaped.");
	try {
		return JSON.parse(`"${escaped}"`);
	} catch {
		throw new JsonSyntaxError("This is not JSON: a string contains an unknown escape sequence.");
	}
}

function moveTo(scan: JsonScan, offset: number): void {
	scan.line += lineEnds(scan.text, scan.offset, offset);
	scan.offset = offset;
	scan.endLine = scan.line;
	skipSpace(scan);
}

function skipSpace(scan: JsonScan): void {
	const start = scan.offset;
	scan.offset += match(scan, SPACE).length;
	for (let comment = match(scan, COMMENT); comment !== ""; comment = match(scan, COMMENT)) {
		report(scan, "JSON does not allow comments. The comments are ignored.");
		scan.offset += comment.length;
		scan.offset += match(scan, SPACE).length;
	}
	scan.line += lineEnds(scan.text, start, scan.offset);
}

function match({ text, offset }: JsonScan, pattern: RegExp): string {
	pattern.lastIndex = offset;
	return pattern.exec(text)?.[0] ?? "";
}
