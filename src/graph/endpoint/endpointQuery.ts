import { Failure } from "../../base/failure.ts";
import { declarePrefixes, undeclaredPrefixes } from "../../base/rdf/sparqlNames.ts";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { checkSparqlRequest, readSparqlRequest } from "../sparql/sparqlRequest.ts";

/**
 * The query as it may be sent, with declarations of known prefixes. Nothing is asked of the endpoint, for its prefixes
 * either, before the query is known to only read. Throws a `Failure` for one that does not.
 */
export async function prepareQuery(
	text: string,
	findNamespaces: () => Promise<ReadonlyMap<string, string>>,
): Promise<string> {
	refuseEscapes(text);
	checkSparqlRequest(text);
	if (undeclaredPrefixes(tokensOf(text)).length === 0) return text;
	const complete = declarePrefixes(text, await findNamespaces());
	readSparqlRequest(complete);
	return complete;
}

/** SPARQL resolves these before it reads a query, so that they could hide a keyword or a quote from our reading. */
function refuseEscapes(text: string): void {
	const [hidden] = /\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}/.exec(text) ?? [];
	if (hidden !== undefined)
		throw new Failure(
			"BAD_INPUT",
			`The query contains the escape sequence ${hidden}. Write the character itself, and ask again.`,
		);
}
