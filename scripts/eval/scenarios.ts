import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { formatEvidence } from "../../src/core/knowledge/evidence.ts";
import type { SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { nameWords } from "../../src/graph/facts/labels.ts";
import { createNameIndex } from "../../src/graph/facts/nameIndex.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { linkEntities } from "../../src/retrieve/entities/linkEntities.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { meanOf } from "./measures.ts";

/** Number of hits read, as in the chat. */
const HITS = 8;

type Scenario = ReturnType<typeof importScenarios>["tests"][number];

/** Share of the names in a good answer that were found, from 0 to 1. */
export interface ScenarioResult {
	readonly name: string;
	readonly names: number;
	readonly words: number;
	readonly shipped: number;
}

/** Asks every scenario of the folder's example, by words alone, and by all legs with the graph. */
export async function askScenarios(folder: string, embedder: Embedder): Promise<ScenarioResult[]> {
	const file = join(folder, "eval.example.yml");
	if (!existsSync(file)) return [];
	const pages = globSync(join(folder, "*.html")).sort();
	const files = pages.map((page) => ({ id: page, path: basename(page), text: readFileSync(page, "utf8") }));
	const corpus = await openCorpus(files, embedder);
	const scenarios = importScenarios(readFileSync(file, "utf8")).tests;
	const results: ScenarioResult[] = [];
	for (const scenario of scenarios) results.push(await askScenario(scenario, corpus, embedder));
	await corpus.close();
	return results.filter(({ names }) => names > 0);
}

async function askScenario(
	{ name = "", ask, search, finds = [], criteria = [] }: Scenario,
	corpus: Corpus,
	embedder: Embedder,
): Promise<ScenarioResult> {
	const { store, graph, pathOf } = corpus;
	const query = { query: ask ?? search ?? "", limit: HITS };
	const never = new AbortController().signal;
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const words = await createRetriever({ store, embedder: undefined, pathOf }).search(query, never);
	const all = await createRetriever({ store, embedder, pathOf, facts }).search(query, never);
	const wanted = await namesIn([finds, criteria].flat().join("\n"), corpus);
	const share = (result: SearchResult) => meanOf(wanted.map((forms) => (isTold(forms, result) ? 1 : 0)));
	return { name, names: wanted.length, words: share(words), shipped: share(all) };
}

/** The things of the graph that a text names, each with the words of its name and its IRI. */
async function namesIn(text: string, { graph }: Corpus): Promise<string[][]> {
	const names = createNameIndex(graph);
	await names.refresh();
	const iris = [...text.matchAll(/https?:\/\/\S+/g)].map(([iri]) => [iri]);
	if (iris.length > 0) return iris;
	const words = nameWords(text);
	const spans = linkEntities(words, names).filter(({ isWhole }) => isWhole);
	return [...new Set(spans.map(({ span }) => words.slice(...span).join(" ")))].map((name) => [name]);
}

function isTold(forms: readonly string[], { hits, listing }: SearchResult): boolean {
	const items = listing?.items.map(({ label, iri = "" }) => `${label} ${iri}`) ?? [];
	const told = [...hits.map((hit) => `${formatEvidence(hit)}\n${hit.iri ?? ""}`), ...items].join("\n");
	const folded = nameWords(told).join(" ");
	return forms.some((form) => told.includes(form) || folded.includes(form));
}
