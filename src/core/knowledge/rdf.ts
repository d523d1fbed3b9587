import type { LineRange } from "./citation.ts";

/** RDF 1.1 terms as plain data: RDF/JS terms without methods, so that they can be sent between processes. */
export interface NamedNode {
	readonly termType: "NamedNode";
	readonly value: string;
}

/** `value` is the label without the leading `_:`. Labels are canonical within their document. */
export interface BlankNode {
	readonly termType: "BlankNode";
	readonly value: string;
}

export interface Literal {
	readonly termType: "Literal";
	readonly value: string;
	/** The datatype's IRI; `rdf:langString` for a literal with a language. */
	readonly datatype: string;
	/** A BCP 47 tag, lower-cased. */
	readonly language?: string;
}

export type Subject = NamedNode | BlankNode;
export type Term = Subject | Literal;

export interface Quad extends Statement {
	readonly lines: LineRange;
}

export interface Statement {
	readonly subject: Subject;
	readonly predicate: NamedNode;
	readonly object: Term;
	/** A named graph inside the document (TriG, N-Quads, JSON-LD); absent for the default graph. */
	readonly graph?: Subject;
}

export function namedNode(value: string): NamedNode {
	return { termType: "NamedNode", value };
}

/** Creates a literal. Language tags are lower-cased and imply the datatype `rdf:langString`. */
export function literal(value: string, datatype = XSD_STRING, language = ""): Literal {
	if (language === "") return { termType: "Literal", value, datatype };
	return { termType: "Literal", value, datatype: LANGUAGE_STRING, language: language.toLowerCase() };
}

export const XSD_STRING = "http://www.w3.org/2001/XMLSchema#string";
const LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";

export function quad(subject: Subject, predicate: string, object: Term, lines: LineRange): Quad {
	return { subject, predicate: namedNode(predicate), object, lines };
}

/** Returns the statement with a changed subject, object and graph. */
export function withTerms(quad: Quad, change: <Any extends Term>(term: Any) => Any | BlankNode): Quad {
	const { subject, object, graph } = quad;
	const changed = { ...quad, subject: change(subject), object: change(object) };
	return graph ? { ...changed, graph: change(graph) } : changed;
}

/** The IRI, or `_:` and the label. */
export function idOf({ termType, value }: Subject): string {
	return termType === "BlankNode" ? `_:${value}` : value;
}

export function subjectOf(id: string): Subject {
	return id.startsWith("_:") ? { termType: "BlankNode", value: id.slice(2) } : namedNode(id);
}

export function isSubject(term: Term): term is Subject {
	return term.termType !== "Literal";
}

interface ForeignTerm {
	readonly termType: string;
	readonly value: string;
	readonly datatype?: { readonly value: string };
	readonly language?: string;
}

/** Converts an RDF/JS term; `undefined` for a default graph and for terms of RDF 1.2. */
export function fromRdfjs(term: ForeignTerm | null | undefined): Term | undefined {
	if (term?.termType === "NamedNode" || term?.termType === "BlankNode")
		return { termType: term.termType, value: term.value };
	return term?.termType === "Literal" ? literal(term.value, term.datatype?.value, term.language) : undefined;
}

/** Converts an RDF/JS statement; `undefined` for statements of RDF 1.2. */
export function quadFromRdfjs(
	stated: Readonly<Record<"subject" | "predicate" | "object" | "graph", ForeignTerm>>,
	lines: LineRange,
): Quad | undefined {
	const [subject, object, graph] = [stated.subject, stated.object, stated.graph].map(fromRdfjs);
	const predicate = fromRdfjs(stated.predicate);
	if (!subject || !isSubject(subject) || predicate?.termType !== "NamedNode" || !object) return undefined;
	return { subject, predicate, object, ...(graph && isSubject(graph) && { graph }), lines };
}
