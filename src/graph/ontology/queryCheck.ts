import { localNameOf, namespaceOf, OWL, RDF, RDFS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { editDistance } from "../../base/text/editDistance.ts";
import type { UnknownTerm } from "../../core/knowledge/graph.ts";
import { usedTerms } from "../sparql/sparqlTerms.ts";
import type { OntologySummary } from "./ontologySummary.ts";

/** Vocabulary of the language itself: a query may ask for it in vain. */
const LANGUAGE = [RDF, RDFS, OWL];
const ALIKE = 0.5;

/** What a query would look for in vain, with what it may have meant: IRIs of the same kind. */
export function checkQuery(query: string, known: OntologySummary["known"]): UnknownTerm[] {
	const { classes, properties } = usedTerms(query);
	return [...unknown(classes, known.classes), ...unknown(properties, known.properties)];
}

function unknown(used: ReadonlySet<string>, known: ReadonlySet<string>): UnknownTerm[] {
	return [...used]
		.filter((iri) => !known.has(iri) && !LANGUAGE.includes(namespaceOf(iri)))
		.map((iri) => ({ iri, nearest: nearestTerms(iri, known) }));
}

/** The IRIs whose local names are most like that of the wanted one, at first those of the same vocabulary that are at all like it. */
function nearestTerms(wanted: string, iris: Iterable<string>): string[] {
	const vocabulary = namespaceOf(wanted);
	return [...iris]
		.map((iri) => {
			const likeness = likenessOf(localNameOf(wanted), localNameOf(iri));
			return { iri, likeness: likeness + (likeness >= ALIKE && namespaceOf(iri) === vocabulary ? 1 : 0) };
		})
		.sort((a, b) => b.likeness - a.likeness || compareTexts(a.iri, b.iri))
		.slice(0, 3)
		.map(({ iri }) => iri);
}

/** 1 for equal names, 0 for nothing alike. Case and separators do not count; a name within the other is half-way there. */
function likenessOf(a: string, b: string): number {
	const [first, second] = [normalize(a), normalize(b)];
	const longer = Math.max(first.length, second.length) || 1;
	const likeness = 1 - editDistance(first, second) / longer;
	const isWithin =
		Math.min(first.length, second.length) > 2 && (first.includes(second) || second.includes(first));
	return isWithin ? Math.max(likeness, (1 + likeness) / 2) : likeness;
}

function normalize(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
