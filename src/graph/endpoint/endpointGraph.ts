import { Failure } from "../../base/failure.ts";
import { declarePrefixes, undeclaredPrefixes } from "../../base/rdf/sparqlNames.ts";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import type { FactGraph, GraphAnswer, UnknownTerm } from "../../core/knowledge/graph.ts";
import { idOf, type Term } from "../../core/knowledge/rdf.ts";
import type { ClassUse, OntologySummary, PropertyUse } from "../ontology/ontologySummary.ts";
import { describeOntology, prefixesOf } from "../ontology/ontologyText.ts";
import { checkQuery, usedTerms } from "../ontology/queryCheck.ts";
import { checkSparqlRequest, limitSolutions, readSparqlRequest } from "../sparql/sparqlRequest.ts";
import { createEndpointClient, type EndpointClient, readEndpointAddress } from "./endpointClient.ts";

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

type Summarize = ReturnType<typeof rememberOntology>;

/** Queries the ontology again after some minutes, because an endpoint does not announce changes to its data. */
function rememberOntology(client: EndpointClient) {
	let last: { readonly time: number; readonly ontology: EndpointOntology } | undefined;
	return async (signal: AbortSignal) => {
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

type EndpointOntology = Awaited<ReturnType<typeof summarizeEndpoint>>;

type Row = Readonly<Record<string, Term>>;
type RowsBy = ReadonlyMap<string, readonly Row[]>;

const MAX_CLASSES = 500;
const MAX_PROPERTIES = 1000;
const MAX_USES = 10_000;

const CLASSES = `SELECT ?class (COUNT(?s) AS ?count) (SAMPLE(?s) AS ?example)
{ ?s a ?class FILTER(isIRI(?class)) } GROUP BY ?class ORDER BY DESC(?count) ?class LIMIT ${MAX_CLASSES}`;

const PROPERTIES = `SELECT ?property (COUNT(*) AS ?count)
{ ?s ?property ?o } GROUP BY ?property ORDER BY DESC(?count) ?property LIMIT ${MAX_PROPERTIES}`;

const USES = `SELECT ?class ?property (COUNT(DISTINCT ?s) AS ?resources)
{ ?s ?property ?o FILTER(?property != <${RDF_TYPE}>) OPTIONAL { ?s a ?class } }
GROUP BY ?class ?property ORDER BY DESC(?resources) ?property LIMIT ${MAX_USES}`;

const RANGES = `SELECT ?class ?property ?literal ?range (COUNT(*) AS ?count) (MIN(STR(?o)) AS ?example)
{ ?s ?property ?o FILTER(?property != <${RDF_TYPE}>) OPTIONAL { ?s a ?class } OPTIONAL { ?o a ?type }
BIND(isLiteral(?o) AS ?literal) BIND(IF(?literal, DATATYPE(?o), ?type) AS ?range) }
GROUP BY ?class ?property ?literal ?range ORDER BY DESC(?count) ?range LIMIT ${MAX_USES}`;

const RESOURCES = "SELECT (COUNT(DISTINCT ?s) AS ?count) { ?s ?p ?o }";

const CLASSLESS = `SELECT (COUNT(DISTINCT ?s) AS ?count) (SAMPLE(?s) AS ?example)
{ ?s ?p ?o FILTER NOT EXISTS { ?s a ?class } }`;

/** Summarizes the ontology. Rejects if the endpoint cannot list its classes and properties. */
async function summarizeEndpoint(client: EndpointClient, signal: AbortSignal) {
	const classes = await selectVocabulary(client, CLASSES, signal);
	const propertyRows = await selectVocabulary(client, PROPERTIES, signal);
	const details = createDetails(client, signal);
	const uses = await details.ask("the properties of each class", USES);
	const ranges = await details.ask("the values of the properties", RANGES);
	const classless = await details.ask("the resources without a class", CLASSLESS);
	const resources = await details.ask("the number of resources, which are counted by class", RESOURCES);

	const toClass = createClassUse(groupBy(uses, "class"), groupBy(ranges, "class"));
	const classUses = classes.map(toClass);
	const counts = new Map(propertyRows.map((row) => [textOf(row, "property"), numberOf(row, "count")]));
	const properties = new Set([RDF_TYPE, ...counts.keys()]);
	const byClass = classUses.reduce((sum, { count }) => sum + count, 0);
	const summary: OntologySummary = {
		resources: resources[0] ? numberOf(resources[0], "count") : byClass,
		quads: [...counts.values()].reduce((sum, count) => sum + count, 0),
		classes: [...classUses, ...classless.map(toClass).filter(({ count }) => count > 0)],
		properties: new Map([...counts].filter(([iri]) => iri !== RDF_TYPE)),
		shapes: [],
		known: { classes: new Set(classUses.map(({ iri }) => iri)), properties },
	};
	const gaps = [
		classes.length < MAX_CLASSES ? [] : `Only the ${MAX_CLASSES} largest classes are listed.`,
		counts.size < MAX_PROPERTIES ? [] : `Only the ${MAX_PROPERTIES} most used properties are listed.`,
		details.gaps(),
	];
	return { summary, gaps: gaps.flat() };
}

/** Changes the error code and the advice: the query is ours, so the user cannot correct it. */
async function selectVocabulary(client: EndpointClient, query: string, signal: AbortSignal) {
	try {
		return (await client.select(query, signal)).rows;
	} catch (thrown) {
		if (!(thrown instanceof Failure) || thrown.code !== "BAD_INPUT") throw thrown;
		const message = `The endpoint cannot list its classes and properties. Query it with full IRIs that you know. (${thrown.message})`;
		throw new Failure("ENDPOINT_FAILED", message, { cause: thrown });
	}
}

/** Queries optional details. After the first query that the endpoint cannot answer, no further queries are sent. */
function createDetails(client: EndpointClient, signal: AbortSignal) {
	const missing: string[] = [];
	return {
		ask: async (name: string, query: string): Promise<readonly Row[]> => {
			const found = missing.length === 0 ? await client.select(query, signal).catch(ifRefused) : undefined;
			if (!found) missing.push(name);
			return found?.rows ?? [];
		},
		gaps: () =>
			missing.length > 0 ? [`The endpoint was too slow, or cannot list: ${missing.join("; ")}.`] : [],
	};
}

function ifRefused(thrown: unknown): undefined {
	if (!(thrown instanceof Failure)) throw thrown;
}

function createClassUse(uses: RowsBy, ranges: RowsBy): (row: Row) => ClassUse {
	return (row) => {
		const iri = textOf(row, "class");
		const rangesOf = groupBy(ranges.get(iri) ?? [], "property");
		const { example } = row;
		return {
			iri,
			count: numberOf(row, "count"),
			example: example && example.termType !== "Literal" ? idOf(example) : "",
			properties: (uses.get(iri) ?? []).map((use) => toPropertyUse(use, rangesOf)),
		};
	};
}

function toPropertyUse(use: Row, rangesOf: RowsBy): PropertyUse {
	const iri = textOf(use, "property");
	const ranges = rangesOf.get(iri) ?? [];
	const literals = ranges.filter((row) => ["true", "1"].includes(textOf(row, "literal")));
	const [example] = literals.flatMap((row) => textOf(row, "example") || []).sort();
	return {
		iri,
		resources: numberOf(use, "resources"),
		ranges: ranges.map((row) => ({ iri: textOf(row, "range"), count: numberOf(row, "count") })),
		...(example !== undefined && { example }),
	};
}

function groupBy(rows: readonly Row[], name: string): RowsBy {
	return Map.groupBy(rows, (row) => textOf(row, name));
}

function textOf(row: Row, name: string): string {
	return row[name]?.value ?? "";
}

function numberOf(row: Row, name: string): number {
	const number = Number(textOf(row, name));
	return Number.isFinite(number) ? number : 0;
}
