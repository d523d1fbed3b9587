import { namespaceOf } from "./iriParts.ts";
import { nearestTerms } from "./nearestTerms.ts";
import type { OntologySummary } from "./ontologySummary.ts";
import { usedTerms } from "./sparqlTerms.ts";
import { OWL, RDF, RDFS } from "./vocabulary.ts";

/** A class or a property of a query that the graph does not have. */
export interface UnknownTerm {
	readonly kind: "class" | "property";
	readonly iri: string;
	/** IRIs of the same kind that the graph has, the most similar first. */
	readonly nearest: readonly string[];
}

/** Vocabulary of the language itself: a query may ask for it in vain. */
const LANGUAGE = [RDF, RDFS, OWL];

/** What a query would look for in vain, with what it may have meant. */
export function checkQuery(query: string, { known }: OntologySummary): UnknownTerm[] {
	const { classes, properties } = usedTerms(query);
	return [...unknown("class", classes, known.classes), ...unknown("property", properties, known.properties)];
}

function unknown(
	kind: UnknownTerm["kind"],
	used: ReadonlySet<string>,
	known: ReadonlySet<string>,
): UnknownTerm[] {
	return [...used]
		.filter((iri) => !known.has(iri) && !LANGUAGE.includes(namespaceOf(iri)))
		.map((iri) => ({ kind, iri, nearest: nearestTerms(iri, known) }));
}
