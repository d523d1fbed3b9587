import { localNameOf } from "../../base/rdf/iriParts.ts";
import { editDistance } from "../../base/text/editDistance.ts";
import { compareTexts } from "../facts/sources.ts";

/** The IRIs whose local names are most like that of an IRI, a prefixed name or a plain name; the nearest first. */
export function nearestTerms(wanted: string, iris: Iterable<string>, limit = 3): string[] {
	return [...iris]
		.map((iri) => ({ iri, likeness: likenessOf(localNameOf(wanted), localNameOf(iri)) }))
		.sort((a, b) => b.likeness - a.likeness || compareTexts(a.iri, b.iri))
		.slice(0, limit)
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
