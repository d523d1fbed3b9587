import { XSD } from "../../base/rdf/vocabulary.ts";
import type { Statement, Subject, Term } from "../../core/knowledge/rdf.ts";

/** A document's statements as the SPARQL thread takes them: lines of N-Triples, each once. */
export interface DocumentText {
	readonly uri: string;
	/** Statements without blank nodes. One text crosses to a thread sooner than its lines. */
	readonly ground: string;
	readonly blank: string;
	/** The token of every blank node in `blank`, with the graph's label for it. */
	readonly labels: ReadonlyMap<string, string>;
}

export function writeDocument(uri: string, quads: Iterable<Statement>): DocumentText {
	const ground = new Set<string>();
	const blank = new Set<string>();
	const labels = new Map<string, string>();
	for (const { subject, predicate, object } of quads) {
		const line = `${writeTerm(subject)} ${writeIri(predicate.value)} ${writeTerm(object)} .`;
		const isGround = subject.termType !== "BlankNode" && object.termType !== "BlankNode";
		(isGround ? ground : blank).add(line);
		if (subject.termType === "BlankNode") labels.set(blankToken(subject.value), subject.value);
		if (object.termType === "BlankNode") labels.set(blankToken(object.value), object.value);
	}
	return { uri, ground: [...ground].join("\n"), blank: [...blank].join("\n"), labels };
}

export function linesOf(text: string): string[] {
	return text === "" ? [] : text.split("\n");
}

/** The named graph of a document: its URI, as an IRI. */
export function graphNameOf(uri: string): string {
	return toAbsoluteIri(uri);
}

function writeTerm(term: Subject | Term): string {
	if (term.termType === "NamedNode") return writeIri(term.value);
	if (term.termType === "BlankNode") return blankToken(term.value);
	const text = `"${term.value.replace(NOT_IN_STRING, (character) => ESCAPES[character] ?? character)}"`;
	if (term.language !== undefined)
		return LANGUAGE_TAG.test(term.language) ? `${text}@${term.language}` : text;
	return term.datatype === `${XSD}string` ? text : `${text}^^${writeIri(term.datatype)}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: N-Quads forbids control characters in an IRI.
const NOT_IN_IRI = /[\x00-\x20<>"{}|^`\\]/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const NOT_IN_STRING = /["\\\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const LANGUAGE_TAG = /^[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

function writeIri(value: string): string {
	return `<${toAbsoluteIri(value)}>`;
}

/** What is no IRI is made one: what Oxigraph takes in leniently it would not delete. */
function toAbsoluteIri(value: string): string {
	const escaped = value.replace(NOT_IN_IRI, encodeURIComponent);
	return SCHEME.test(escaped) ? escaped : `relative:${escaped}`;
}

/** Most labels are tokens as they are; the others are spelt in hexadecimal. */
function blankToken(label: string): string {
	return /^[A-Za-z0-9]+\.[0-9a-f]+$/.test(label) ? `_:${label}` : `_:x-${Buffer.from(label).toString("hex")}`;
}
