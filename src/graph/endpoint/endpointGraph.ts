import { Failure } from "../../base/failure.ts";
import { declarePrefixes, undeclaredPrefixes } from "../../base/rdf/sparqlNames.ts";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import type { FactGraph, GraphAnswer, UnknownTerm } from "../../core/knowledge/graph.ts";
import { describeOntology, prefixesOf } from "../ontology/ontologyText.ts";
import { checkQuery, usedTerms } from "../ontology/queryCheck.ts";
import { checkSparqlRequest, limitSolutions, readSparqlRequest } from "../sparql/sparqlRequest.ts";
import { createEndpointClient, type EndpointClient, readEndpointAddress } from "./endpointClient.ts";
import { type EndpointOntology, summarizeEndpoint } from "./endpointOntology.ts";

export interface EndpointOptions {
	/** An http or https address. An account in the address is sent as HTTP Basic authentication. */
	readonly endpoint: string;
	readonly timeLimitMs?: number;
}

const TIME_LIMIT_MS = 10_000;
const ROWS = 100;
const BUDGET_TOKENS = 2000;
const SUMMARY_LIFETIME_MS = 5 * 60_000;

/** Answers from a SPARQL endpoint. Queries may omit declarations of prefixes of the endpoint's ontology. */
export function createEndpointGraph(options: EndpointOptions): FactGraph {
	const { endpoint, timeLimitMs = TIME_LIMIT_MS } = options;
	const address = readEndpointAddress(endpoint);
	const client = createEndpointClient(address, timeLimitMs);
	const summarize = rememberOntology(client);
	/** Declares known prefixes. Throws a `Failure` before any request if the query is not read-only. */
	const complete = async (text: string, signal: AbortSignal) => {
		refuseEscapes(text);
		checkSparqlRequest(text);
		if (undeclaredPrefixes(tokensOf(text)).length === 0) return text;
		const { namespaces } = prefixesOf((await summarize(signal)).summary);
		const completed = declarePrefixes(text, (prefix) => namespaces.get(prefix));
		readSparqlRequest(completed);
		return completed;
	};
	return {
		query: async ({ sparql, limit = ROWS }, signal) => ({
			answer: await answer(client, await complete(sparql, signal), { limit, signal }),
			sources: [],
			notices: [`Answered by the endpoint ${address.host}; its rows are not linked to lines of files.`],
		}),
		check: async ({ sparql }, signal) =>
			await checkAtEndpoint(client, await complete(sparql, signal), { summarize, signal }),
		ontology: async ({ budgetTokens = BUDGET_TOKENS, focus = "" }, signal) => {
			const { summary, gaps } = await summarize(signal);
			const notes = gaps.map((gap) => `\n${gap}`).join("");
			const room = budgetTokens - Math.ceil(notes.length / CHARACTERS_PER_TOKEN);
			return describeOntology(summary, { budgetTokens: room, focus }) + notes;
		},
	};
}

type Summarize = (signal: AbortSignal) => Promise<EndpointOntology>;

/** Queries the ontology again after some minutes, because an endpoint does not announce changes to its data. */
function rememberOntology(client: EndpointClient): Summarize {
	let last: { readonly time: number; readonly ontology: EndpointOntology } | undefined;
	return async (signal) => {
		if (last && Date.now() - last.time < SUMMARY_LIFETIME_MS) return last.ontology;
		const ontology = await summarizeEndpoint(client, signal);
		last = { time: Date.now(), ontology };
		return ontology;
	};
}

async function answer(
	client: EndpointClient,
	query: string,
	{ limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<GraphAnswer> {
	const { form } = readSparqlRequest(query);
	if (form === "ASK") return { kind: "boolean", value: await client.ask(query, signal) };
	if (form !== "SELECT") return { kind: "quads", ...(await client.construct(query, limit, signal)) };
	const { variables, rows } = await client.select(limitSolutions(query, limit + 1), signal);
	const truncated = rows.length > limit;
	const total = !truncated && { total: rows.length };
	return { kind: "rows", variables, rows: rows.slice(0, limit), ...total, truncated };
}

/** SPARQL resolves escapes before parsing: an escape could hide a keyword or a quotation mark from our checks. */
function refuseEscapes(text: string): void {
	const [hidden] = /\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}/.exec(text) ?? [];
	const message = `The query contains the escape sequence ${hidden}. Write the character itself, and ask again.`;
	if (hidden !== undefined) throw new Failure("BAD_INPUT", message);
}

/** Classes and properties unknown to the endpoint. Asks the endpoint, because the summary may be old or partial. */
async function checkAtEndpoint(
	client: EndpointClient,
	query: string,
	{ summarize, signal }: { readonly summarize: Summarize; readonly signal: AbortSignal },
): Promise<UnknownTerm[]> {
	const { classes, properties } = usedTerms(query);
	const used = classes.union(properties);
	// IRIs that no query can contain count as known, so that they are not reported.
	const asked = used
		.values()
		.filter((iri) => ABSOLUTE_IRI.test(iri))
		.map((iri) => `<${iri}>`)
		.toArray();
	if (asked.length === 0) return [];
	const isKnown = "EXISTS { ?s a ?iri } || EXISTS { ?s ?iri ?o } || EXISTS { ?iri a ?kind }";
	const select = `SELECT ?iri { VALUES ?iri { ${asked.join(" ")} } FILTER(${isKnown}) }`;
	const found = new Set((await client.select(select, signal)).rows.map(({ iri }) => iri?.value ?? ""));
	if (found.size === asked.length) return [];
	const known = used.values().filter((iri) => found.has(iri) || !ABSOLUTE_IRI.test(iri));
	const all = new Set(known);
	const { summary } = await summarize(signal);
	return checkQuery(query, {
		classes: summary.known.classes.union(all),
		properties: summary.known.properties.union(all),
	});
}

const ABSOLUTE_IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i;
