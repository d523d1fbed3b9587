import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { formatEvidence, formatListings } from "../../src/core/knowledge/evidence.ts";
import type { SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createRetriever, type RetrieverPorts } from "../../src/retrieve/search.ts";
import type { Bar } from "./bars.ts";
import { type CorpusFile, readCollection } from "./collection.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { LONG_QUESTIONS, type LongQuestion } from "./longQuestions.ts";

/** Number of hits read, as in the chat. */
const HITS = 8;

const LEAST = 36 / 40;

const QUESTIONS = [...LONG_QUESTIONS.first, ...LONG_QUESTIONS.more];

/** The aspects of a question found in the hits. */
export interface AspectResult {
	readonly question: string;
	readonly found: readonly boolean[];
}

/** A search without one of its features. */
export interface Variant {
	readonly name: string;
	readonly ports?: (ports: RetrieverPorts) => RetrieverPorts;
	readonly query?: Partial<SearchQuery>;
	readonly result?: (result: SearchResult) => SearchResult;
}

/** Results by name of the variant. */
export type AspectResults = ReadonlyMap<string, readonly AspectResult[]>;

export async function askLongQuestions(
	data: string,
	embedder: Embedder,
	variants: readonly Variant[] = [SHIPPED],
): Promise<AspectResults> {
	const results = new Map(variants.map(({ name }) => [name, [] as AspectResult[]]));
	for (const [about, questions] of Map.groupBy(QUESTIONS, (one) => one.about)) {
		const files = filesOf(data, about);
		if (files.length === 0) continue;
		const corpus = await openCorpus(files, embedder);
		for (const variant of variants)
			results.get(variant.name)?.push(...(await askEach(questions, variant, { corpus, embedder })));
		await corpus.close();
	}
	return results;
}

export const SHIPPED: Variant = { name: "shipped" };

async function askEach(
	questions: readonly LongQuestion[],
	variant: Variant,
	{ corpus, embedder }: { readonly corpus: Corpus; readonly embedder: Embedder },
): Promise<AspectResult[]> {
	const { store, graph, pathOf } = corpus;
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const ports = { store, embedder, pathOf, facts };
	const { search } = createRetriever(variant.ports?.(ports) ?? ports);
	const results: AspectResult[] = [];
	for (const { question, aspects } of questions) {
		const query = { query: question, limit: HITS, ...variant.query };
		const given = await search(query, new AbortController().signal);
		const result = variant.result?.(given) ?? given;
		const shown = [...formatListings(result), ...result.hits.map(formatEvidence)].join("\n");
		results.push({ question, found: aspects.map((aspect) => aspect.test(shown)) });
	}
	return results;
}

export function aspectBars(results: readonly AspectResult[]): Bar[] {
	return [
		aspectBar("aspects of ten long questions in eight hits", LONG_QUESTIONS.first, results),
		aspectBar("aspects of ten more long questions over other collections", LONG_QUESTIONS.more, results),
	].flat();
}

function aspectBar(what: string, asked: readonly LongQuestion[], results: readonly AspectResult[]): Bar[] {
	const questions = new Set(asked.map(({ question }) => question));
	const all = results.filter(({ question }) => questions.has(question)).flatMap(({ found }) => found);
	if (all.length === 0) return [];
	const found = all.filter(Boolean).length;
	return [{ what, figures: `${found} of ${all.length} (bar 36 of 40)`, holds: found >= LEAST * all.length }];
}

function filesOf(data: string, about: string): readonly CorpusFile[] {
	if (about !== "bionova")
		return existsSync(join(data, "ir", about)) ? readCollection(join(data, "ir"), about).files : [];
	return globSync(join(data, "pages", about, "*.html"))
		.sort()
		.map((page) => ({ id: page, path: basename(page), text: readFileSync(page, "utf8") }));
}

export function tellAspects(results: readonly AspectResult[]): string {
	const whole = results.filter(({ found }) => found.every(Boolean)).length;
	return [
		"## Long questions",
		`We wrote twenty questions of several parts: ten before we made the rules, and later ten over other collections. An aspect is a part of the answer. An aspect is found if one of the first eight hits, or the listing, contains its words or is from its file. ${whole} of ${results.length} questions have all of their aspects; the bars count the aspects.`,
	].join("\n\n");
}
