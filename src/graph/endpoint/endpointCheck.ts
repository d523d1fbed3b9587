import type { UnknownTerm } from "../../core/knowledge/graph.ts";
import type { OntologySummary } from "../ontology/ontologySummary.ts";
import { checkQuery } from "../ontology/queryCheck.ts";
import { usedTerms } from "../sparql/sparqlTerms.ts";
import type { EndpointClient } from "./endpointClient.ts";

/** A query with more terms than this is checked in part: each costs the endpoint a question. */
const MAX_TERMS = 40;

/**
 * Classes and properties of a query that the endpoint neither uses nor describes. It is asked for each of them, as its
 * summary may be old and need not hold all; the summary has the names that are near.
 */
export async function checkAtEndpoint(
	client: EndpointClient,
	query: string,
	{ summarize, signal }: { readonly summarize: () => Promise<OntologySummary>; readonly signal: AbortSignal },
): Promise<UnknownTerm[]> {
	const { classes, properties } = usedTerms(query);
	const isClass = (iri: string) => client.ask(`ASK { { ?s a <${iri}> } UNION { <${iri}> a ?kind } }`, signal);
	const isProperty = (iri: string) =>
		client.ask(`ASK { { ?s <${iri}> ?o } UNION { <${iri}> a ?kind } }`, signal);
	const knownClasses = await keepKnown(classes, isClass);
	const knownProperties = await keepKnown(properties, isProperty);
	if (knownClasses.length === classes.size && knownProperties.length === properties.size) return [];
	const summary = await summarize();
	const { known } = summary;
	return checkQuery(query, {
		...summary,
		known: {
			classes: new Set([...known.classes, ...knownClasses]),
			properties: new Set([...known.properties, ...knownProperties]),
		},
	});
}

/** An IRI that cannot be asked for counts as known: nothing is said against it. */
async function keepKnown(
	iris: ReadonlySet<string>,
	isKnown: (iri: string) => Promise<boolean>,
): Promise<string[]> {
	const kept: string[] = [];
	for (const [index, iri] of [...iris].entries())
		if (index >= MAX_TERMS || !ABSOLUTE_IRI.test(iri) || (await isKnown(iri))) kept.push(iri);
	return kept;
}

const ABSOLUTE_IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i;
