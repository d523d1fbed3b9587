import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Listing } from "../../src/core/knowledge/knowledge.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { createSparql, type Sparql } from "../../src/graph/sparql/sparql.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import type { Bar } from "./bars.ts";
import { linesOf } from "./collection.ts";

/** Minimum share of questions with a listing. */
const LEAST_SHOWN = 7 / 9;

const FILES: Readonly<Record<string, string>> = {
	bionova: "pages/bionova/*.html",
	ck25: "kg/ck25/graph.ttl",
};

/** Corrected queries: the data's own query compares the IRI `dbpedia:France` with a text, so it finds nothing. */
const MENDED: Readonly<Record<string, string>> = {
	"Which suppliers are in France?":
		'SELECT DISTINCT ?x {?x a <http://ld.company.org/prod-vocab/Supplier> ; <http://ld.company.org/prod-vocab/country> ?c . FILTER(STRENDS(STR(?c), "/France"))}',
};

interface ListingQuestion {
	readonly graph: string;
	readonly question: string;
	readonly sparql: string;
}

/** A question that counts or lists: whether a listing was shown, and whether it agrees with SPARQL. */
interface ListingResult {
	readonly question: string;
	readonly truth: number;
	readonly shown?: number;
	readonly isExact: boolean;
}

export async function askListings(data: string): Promise<ListingResult[]> {
	const file = join(data, "kg", "listing", "questions.jsonl");
	if (!existsSync(file)) return [];
	const questions = linesOf(readFileSync(file, "utf8")).map((line) => JSON.parse(line) as ListingQuestion);
	const results: ListingResult[] = [];
	for (const [name, asked] of Map.groupBy(questions, ({ graph }) => graph))
		results.push(...(await askAbout(await readGraph(join(data, FILES[name] ?? "")), asked)));
	return results;
}

/** Asks every question of the set, and returns the bars for its listings. */
export async function listingBars(data: string): Promise<Bar[]> {
	const results = await askListings(data);
	for (const { question, truth, shown = "none", isExact } of results)
		console.log(`▸ ${question} ${shown}; SPARQL gives ${truth}${isExact ? "" : ", not the same"}`);
	if (results.length === 0) return [];
	const shown = results.filter(({ shown }) => shown !== undefined);
	const exact = shown.filter(({ isExact }) => isExact);
	const of = (count: number, all: readonly unknown[]) => `${count} of ${all.length}`;
	return [
		{
			what: "every listing is equal to the result of SPARQL",
			figures: of(exact.length, shown),
			holds: exact.length === shown.length,
		},
		{
			what: "questions that count or list get a listing",
			figures: `${of(shown.length, results)} (bar 7 of 9)`,
			holds: shown.length >= LEAST_SHOWN * results.length,
		},
	];
}

export async function readGraph(pattern: string): Promise<Graph> {
	const graph = createGraph();
	for (const path of globSync(pattern).sort())
		await addFile(graph, `file:///listing/${basename(path)}`, readFileSync(path));
	return graph;
}

export async function addFile(graph: Graph, uri: string, bytes: Uint8Array): Promise<void> {
	const outcome = await parseDocument(uri, bytes);
	if ("document" in outcome) graph.replace(uri, outcome.document.quads);
}

async function askAbout(graph: Graph, questions: readonly ListingQuestion[]): Promise<ListingResult[]> {
	const store = { rowsAbout: async () => new Map() };
	const leg = createEntityLeg({ graph, store, words: undefined });
	const threadUrl = new URL("../../src/graph/sparql/sparqlThread.ts", import.meta.url);
	const sparql = createSparql({ graph, threadUrl });
	const results: ListingResult[] = [];
	for (const { question, sparql: query } of questions) {
		const truth = await rowsOf(sparql, MENDED[question] ?? query);
		const listing = await leg.list(question, (path, lines) => ({ path, lines }));
		const shown = listing && { shown: listing.total };
		results.push({ question, truth: truth.size, ...shown, isExact: isExact(listing, truth) });
	}
	await sparql.close();
	return results;
}

/** Whether a listing is true. Long listings show only the first things, which must be true. */
function isExact(listing: Listing | undefined, truth: ReadonlySet<string>): boolean {
	if (listing?.total !== truth.size) return false;
	return listing.items.every(({ iri }) => iri === undefined || truth.has(iri));
}

async function rowsOf(sparql: Sparql, query: string): Promise<Set<string>> {
	const result = await sparql.query(query, { rowLimit: 10_000 }, new AbortController().signal);
	if (result.kind !== "rows") throw new Error(`${query} gives no rows`);
	return new Set(result.rows.flatMap((row) => result.variables.map((name) => row[name]?.value ?? "")));
}
