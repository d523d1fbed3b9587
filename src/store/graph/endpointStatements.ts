import type { Literal, Quad, Subject, Term } from "../../core/rdf.ts";
import { RDF, XSD } from "./vocabulary.ts";

const ESCAPE = String.raw`\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`;
const IRI = String.raw`<([^\x00-\x20<>"{}|^${"`"}\\]*(?:(?:${ESCAPE})[^\x00-\x20<>"{}|^${"`"}\\]*)*)>`;
const BLANK = String.raw`_:([\p{L}\p{N}_:](?:[\p{L}\p{M}\p{N}_:.\u00b7-]*[\p{L}\p{M}\p{N}_:\u00b7-])?)`;
const TEXT = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"(?:\^\^${IRI}|@([A-Za-z]+(?:-[A-Za-z0-9]+)*))?`;
const SPACE = String.raw`[ \t]*`;

/** A line of RDF 1.1 N-Triples, somewhat wider. */
const STATEMENT = new RegExp(
	`^${["", `(?:${IRI}|${BLANK})`, IRI, `(?:${IRI}|${BLANK}|${TEXT})`, String.raw`\.`, "(?:#.*)?$"].join(SPACE)}`,
	"u",
);

/** A constructed statement is on no line of a file. */
const NO_LINES = { start: 0, end: 0 };

/** Whether a line of N-Triples says something. */
export function isStatement(line: string): boolean {
	return /^\s*[^\s#]/.test(line);
}

/** `undefined` for a line that is no N-Triples. */
export function parseStatement(line: string): Quad | undefined {
	const match = STATEMENT.exec(line.trim());
	if (!match) return undefined;
	const [, iri, blank, predicate = "", objectIri, objectBlank, text = "", datatype, language] = match;
	return {
		subject: toSubject(iri, blank),
		predicate: toIri(predicate),
		object: toObject(),
		lines: NO_LINES,
	};

	function toObject(): Term {
		return objectIri === undefined && objectBlank === undefined
			? toLiteral(unescapeText(text), datatype, language)
			: toSubject(objectIri, objectBlank);
	}
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
	return text.replace(
		/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gu,
		(_, short?: string, long?: string, letter = "") => {
			const hex = short ?? long;
			if (hex === undefined) return LETTERS[letter] ?? letter;
			const code = Number.parseInt(hex, 16);
			return code > LAST_CODE_POINT ? "\ufffd" : String.fromCodePoint(code);
		},
	);
}
