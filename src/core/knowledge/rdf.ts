import type { LineRange } from "./source.ts";

/** RDF 1.1 terms as plain data: the shape of RDF/JS without its methods, so that they cross a process border. */
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
	/** The datatype's IRI; `rdf:langString` where there is a language. */
	readonly datatype: string;
	/** A BCP 47 tag, lower-cased. */
	readonly language?: string;
}

export type Subject = NamedNode | BlankNode;
export type Term = Subject | Literal;

/** A statement and the lines that make it. */
export interface Quad extends Statement {
	readonly lines: LineRange;
}

export interface Statement {
	readonly subject: Subject;
	readonly predicate: NamedNode;
	readonly object: Term;
	/** A named graph inside the document (TriG, N-Quads, JSON-LD); absent for its default graph. */
	readonly graph?: Subject;
}
