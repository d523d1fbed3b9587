import { XSD } from "../../base/rdf/vocabulary.ts";
import type { Literal, NamedNode, Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";

export function namedNode(value: string): NamedNode {
	return { termType: "NamedNode", value };
}

export function literal(value: string, datatype = `${XSD}string`): Literal {
	return { termType: "Literal", value, datatype };
}

export function quad(subject: Subject, predicate: string, object: Term, lines: LineRange): Quad {
	return { subject, predicate: namedNode(predicate), object, lines };
}

/** IRI, or `_:` and label. */
export function idOf(subject: Subject): string {
	return subject.termType === "BlankNode" ? `_:${subject.value}` : subject.value;
}

export function isSubject(term: Term): term is Subject {
	return term.termType !== "Literal";
}
