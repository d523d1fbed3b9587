import { Failure } from "../../base/failure.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { idOf, type Term } from "../../core/knowledge/rdf.ts";
import type { ClassUse, OntologySummary, PropertyUse } from "../ontology/ontologySummary.ts";
import type { EndpointClient } from "./endpointClient.ts";

export type EndpointOntology = Awaited<ReturnType<typeof summarizeEndpoint>>;

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
export async function summarizeEndpoint(client: EndpointClient, signal: AbortSignal) {
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
