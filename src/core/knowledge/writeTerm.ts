import { type Subject, type Term, XSD_STRING } from "./rdf.ts";

/** Writes a term in N-Triples syntax. */
export function writeTerm(term: Subject | Term): string {
	if (term.termType === "NamedNode") return writeIri(term.value);
	if (term.termType === "BlankNode") return blankToken(term.value);
	const text = `"${term.value.replace(NOT_IN_STRING, (character) => ESCAPES[character] ?? character)}"`;
	if (term.language !== undefined)
		return LANGUAGE_TAG.test(term.language) ? `${text}@${term.language}` : text;
	return term.datatype === XSD_STRING ? text : `${text}^^${writeIri(term.datatype)}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: N-Quads forbids control characters in an IRI.
const NOT_IN_IRI = /[\x00-\x20<>"{}|^`\\]/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const NOT_IN_STRING = /["\\\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const LANGUAGE_TAG = /^[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

export function writeIri(value: string): string {
	return `<${toAbsoluteIri(value)}>`;
}

/** Makes any text a valid IRI: Oxigraph can load an invalid IRI but cannot delete it. */
export function toAbsoluteIri(value: string): string {
	const escaped = value.replace(NOT_IN_IRI, encodeURIComponent);
	return SCHEME.test(escaped) ? escaped : `relative:${escaped}`;
}

/** Writes a blank node. Labels that may be invalid are written in hexadecimal. */
export function blankToken(label: string): string {
	return /^[A-Za-z0-9]+\.[0-9a-f]+$/.test(label) ? `_:${label}` : `_:x-${Buffer.from(label).toString("hex")}`;
}
