import { namespaceOf } from "../../base/rdf/iriParts.ts";
import { OWL, RDF, RDFS } from "../../base/rdf/vocabulary.ts";
import type { UnknownTerm } from "../../core/knowledge/graph.ts";
import { usedTerms } from "../sparql/sparqlTerms.ts";
import { nearestTerms } from "./nearestTerms.ts";
import type { OntologySummary } from "./ontologySummary.ts";

/** `nearest` has IRIs of the same kind. */
export interface UnknownName extends UnknownTerm {
	readonly kind: "class" | "property";
}

/** Vocabulary of the language itself: a query may ask for it in vain. */
const LANGUAGE = [RDF, RDFS, OWL];

/** What a query would look for in vain, with what it may have meant. */
export function checkQuery(query: string, { known }: OntologySummary): UnknownName[] {
	const { classes, properties } = usedTerms(query);
	return [...unknown("class", classes, known.classes), ...unknown("property", properties, known.properties)];
}

function unknown(
	kind: UnknownName["kind"],
	used: ReadonlySet<string>,
	known: ReadonlySet<string>,
): UnknownName[] {
	return [...used]
		.filter((iri) => !known.has(iri) && !LANGUAGE.includes(namespaceOf(iri)))
		.map((iri) => ({ kind, iri, nearest: nearestTerms(iri, known) }));
}
