import { RDF, XSD } from "../../base/rdf/vocabulary.ts";
import type { Literal, Quad, Subject, Term } from "../../core/knowledge/rdf.ts";

/** Only plain repetitions: a group that repeats a million times would overflow the stack of the RegExp engine. */
const IRI = String.raw`<([^\x00-\x20<>"{}|^${"`"}]*)>`;
const BLANK = String.raw`_:([^\s<>"#.](?:[^\s<>"#]*[^\s<>"#.])?)`;
const SPACE = String.raw`[ \t]*`;
const END = String.raw`${SPACE}\.${SPACE}(?:#.*)?$`;

/** A line of RDF 1.1 N-Triples, somewhat wider, in two halves. */
const BEFORE_OBJECT = new RegExp(`^(?:${IRI}|${BLANK})${SPACE}${IRI}${SPACE}`);
const RESOURCE_AND_END = new RegExp(`^(?:${IRI}|${BLANK})${END}`);
const AFTER_TEXT = new RegExp(`^(?:\\^\\^${IRI}|@([A-Za-z][A-Za-z0-9-]*))?${END}`);

/** A constructed statement is on no line of a file. */
const NO_LINES = { start: 0, end: 0 };

export function isStatement(line: string): boolean {
	return /^\s*[^\s#]/.test(line);
}

/** `undefined` for a line that is no N-Triples. */
export function parseStatement(line: string): Quad | undefined {
	const text = line.trim();
	const match = BEFORE_OBJECT.exec(text);
	if (!match) return undefined;
	const [before, iri, blank, predicate = ""] = match;
	const object = parseObject(text.slice(before.length));
	return object && { subject: toSubject(iri, blank), predicate: toIri(predicate), object, lines: NO_LINES };
}

function parseObject(text: string): Term | undefined {
	if (!text.startsWith('"')) {
		const match = RESOURCE_AND_END.exec(text);
		return match ? toSubject(match[1], match[2]) : undefined;
	}
	const quote = closingQuote(text);
	const match = quote > 0 ? AFTER_TEXT.exec(text.slice(quote + 1)) : null;
	return match ? toLiteral(unescapeText(text.slice(1, quote)), match[1], match[2]) : undefined;
}

/** The index of the quote that ends a text, which begins with one; -1 if none does. */
function closingQuote(text: string): number {
	let quote = text.indexOf('"', 1);
	while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
	return quote;
}

function isEscaped(text: string, index: number): boolean {
	let start = index;
	while (text[start - 1] === "\\") start--;
	return (index - start) % 2 === 1;
}

function toSubject(iri: string | undefined, blank = ""): Subject {
	return iri === undefined ? { termType: "BlankNode", value: blank } : toIri(iri);
}

function toIri(text: string) {
	return { termType: "NamedNode", value: unescapeText(text) } as const;
}

function toLiteral(value: string, datatype: string | undefined, language: string | undefined): Literal {
	if (language !== undefined)
		return { termType: "Literal", value, datatype: `${RDF}langString`, language: language.toLowerCase() };
	return {
		termType: "Literal",
		value,
		datatype: datatype === undefined ? `${XSD}string` : unescapeText(datatype),
	};
}

const LETTERS: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", r: "\r", f: "\f" };
const LAST_CODE_POINT = 0x10ffff;

function unescapeText(text: string): string {
	if (!text.includes("\\")) return text;
	return text.replace(/\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)/gu, ([, kind = "", ...rest]) =>
		rest.length === 0 ? (LETTERS[kind] ?? kind) : characterOf(rest.join("")),
	);
}

function characterOf(hex: string): string {
	const code = Number.parseInt(hex, 16);
	return code > LAST_CODE_POINT ? "\ufffd" : String.fromCodePoint(code);
}
