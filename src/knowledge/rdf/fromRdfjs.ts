import type * as RDF from "@rdfjs/types";
import type { Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { literal, namedNode } from "../resources/terms.ts";

/** A quad of an RDF/JS library in our terms; nothing where it has a term of RDF 1.2. */
export function fromRdfjs(
	{ subject, predicate, object, graph }: RDF.Quad,
	lines: LineRange,
): Quad | undefined {
	const terms = [toTerm(subject), toTerm(object)] as const;
	if (!isSubject(terms[0]) || predicate.termType !== "NamedNode" || !terms[1]) return undefined;
	const quad = { subject: terms[0], predicate: namedNode(predicate.value), object: terms[1], lines };
	const name = toTerm(graph);
	return isSubject(name) ? { ...quad, graph: name } : quad;
}

function toTerm(term: RDF.Term): Term | undefined {
	switch (term.termType) {
		case "NamedNode":
			return namedNode(term.value);
		case "BlankNode":
			return { termType: "BlankNode", value: term.value };
		case "Literal": {
			const { value, datatype, language } = term;
			return { ...literal(value, datatype.value), ...(language && { language: language.toLowerCase() }) };
		}
		default:
			return undefined;
	}
}

function isSubject(term: Term | undefined): term is Subject {
	return term !== undefined && term.termType !== "Literal";
}
