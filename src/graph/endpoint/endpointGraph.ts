import type { FactGraph, GraphAnswer } from "../../core/knowledge/graph.ts";
import { describeOntology, prefixesOf } from "../ontology/ontologyText.ts";
import { limitSolutions } from "../sparql/sparqlDialect.ts";
import { readSparqlRequest } from "../sparql/sparqlRequest.ts";
import { readEndpointAddress } from "./endpointAddress.ts";
import { checkAtEndpoint } from "./endpointCheck.ts";
import { createEndpointClient, type EndpointClient } from "./endpointClient.ts";
import { type EndpointOntology, summarizeEndpoint } from "./endpointOntology.ts";
import { prepareQuery } from "./endpointQuery.ts";

export interface EndpointOptions {
	/** An http or https address; an account in it is sent as HTTP Basic authentication. */
	readonly endpoint: string;
	readonly fetch?: typeof fetch;
	/** For each request. */
	readonly timeLimitMs?: number;
	/** Milliseconds since any beginning. */
	readonly now?: () => number;
}

const TIME_LIMIT_MS = 10_000;
const ROWS = 100;
const BUDGET_TOKENS = 2000;
const SUMMARY_LIFETIME_MS = 5 * 60_000;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Answers from a SPARQL endpoint. Prefixes that its ontology shows need no declaration in a query. Throws a `Failure`
 * for an address that is none; every method rejects with one, which names the endpoint, when that does not answer.
 */
export function createEndpointGraph(options: EndpointOptions): FactGraph {
	const { endpoint, fetch: send = fetch, timeLimitMs = TIME_LIMIT_MS, now = Date.now } = options;
	const address = readEndpointAddress(endpoint);
	const client = createEndpointClient({ address, fetch: send, timeLimitMs });
	const summarize = rememberOntology(client, now);
	const complete = (text: string, signal: AbortSignal) =>
		prepareQuery(text, async () => prefixesOf((await summarize(signal)).summary).namespaces);
	return {
		query: async ({ sparql, limit = ROWS }, signal) => ({
			answer: await answer(client, await complete(sparql, signal), { limit, signal }),
			sources: [],
			notices: [`Answered by the endpoint ${address.host}; its rows are not linked to lines of files.`],
		}),
		check: async ({ sparql }, signal) =>
			await checkAtEndpoint(client, await complete(sparql, signal), {
				summarize: async () => (await summarize(signal)).summary,
				signal,
			}),
		ontology: async ({ budgetTokens = BUDGET_TOKENS, focus = "" }, signal) => {
			const { summary, gaps } = await summarize(signal);
			const notes = gaps.map((gap) => `\n${gap}`).join("");
			const room = budgetTokens - Math.ceil(notes.length / CHARACTERS_PER_TOKEN);
			return describeOntology(summary, { budgetTokens: room, focus }).text + notes;
		},
	};
}

/** An endpoint does not announce changes to its data, so it is asked again now and then. */
function rememberOntology(client: EndpointClient, now: () => number) {
	let last: { readonly time: number; readonly ontology: EndpointOntology } | undefined;
	return async (signal: AbortSignal): Promise<EndpointOntology> => {
		if (last && now() - last.time < SUMMARY_LIFETIME_MS) return last.ontology;
		const ontology = await summarizeEndpoint(client, signal);
		last = { time: now(), ontology };
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
	const isTruncated = rows.length > limit;
	return {
		kind: "rows",
		variables,
		rows: rows.slice(0, limit),
		...(!isTruncated && { total: rows.length }),
		truncated: isTruncated,
	};
}
