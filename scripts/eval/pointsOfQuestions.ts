import { existsSync } from "node:fs";
import { join } from "node:path";
import { CHARACTERS_PER_TOKEN } from "../../src/base/text/tokenEstimate.ts";
import type { Passage } from "../../src/core/knowledge/document.ts";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { formatBriefly, formatEvidence } from "../../src/core/knowledge/evidence.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { NOTHING_MATCHES } from "../../src/core/knowledge/searchSummary.ts";
import { createRetriever, type Retriever } from "../../src/retrieve/search.ts";
import { hasPhrases, phrasesIn } from "../../src/search/phrases.ts";
import { type Collection, readCollection } from "./collection.ts";
import { openCorpus, type Rewrite } from "./corpus.ts";
import { type Grades, qualityOf } from "./measures.ts";
import { compared, type PointResult } from "./pointResult.ts";

const SAMPLE = 100;
const HITS = 8;
const COMPACT_HITS = 30;

/** Collections whose questions k8s-llm cannot answer. */
const STRANGE = ["cosqa", "cranfield", "xquad-en"];

const never = new AbortController().signal;

interface Asked {
	readonly search: Retriever["search"];
	readonly idOf: (uri: string) => string;
	readonly questions: readonly { readonly text: string; readonly grades: Grades }[];
}

/** Measures remedies in the answers to questions of k8s-llm. */
export async function askWithout(data: string, embedder: Embedder): Promise<PointResult[]> {
	const folder = join(data, "ir");
	const collection = readCollection(folder, "k8s-llm");
	const { store, pathOf, idOf, close } = await openCorpus(collection.files, embedder);
	const { search } = createRetriever({ store, embedder, pathOf });
	const asked = { search, idOf, questions: sampleOf(collection) };
	const strange = STRANGE.filter((name) => existsSync(join(folder, name))).map((name) =>
		sampleOf(readCollection(folder, name)),
	);
	const results = [
		...(await quote(asked)),
		...(await doubt(
			{ ...asked, questions: strange.flat() },
			"questions about other topics that get “nothing matches”",
		)),
		...(await doubt(asked, "k8s-llm's own questions that get “nothing matches”")),
		...(await brief(asked)),
	];
	await close();
	return [...results, ...(await findHeadings(collection, embedder))];
}

/** Samples questions evenly from the whole set. */
function sampleOf({ queries, grades }: Collection): Asked["questions"] {
	const step = Math.max(1, queries.length / SAMPLE);
	const chosen = queries.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
	return chosen.slice(0, SAMPLE).map(({ id, text }) => ({ text, grades: grades.get(id) ?? new Map() }));
}

async function quote({ search, idOf, questions }: Asked): Promise<PointResult[]> {
	const marks: [number, number][] = [];
	for (const { text, grades } of questions) {
		const query = text.replace(/\S+\s+\S+\s+\S+$/, (last) => `"${last.replaceAll('"', "")}"`);
		const { hits } = await search({ query, limit: 10 }, never);
		const exact = hits.filter((hit) => hasPhrases(hit, phrasesIn(query)));
		marks.push([ndcgOf(hits, idOf, grades), ndcgOf(exact, idOf, grades)]);
	}
	const remedy = "without an exact match, quotation marks are ignored";
	return [compared({ point: 4, remedy, measure: "nDCG@10 of questions that end in a quotation" }, marks)];
}

async function doubt({ search, questions }: Asked, measure: string): Promise<PointResult[]> {
	const marks: [number, number][] = [];
	for (const { text } of questions) {
		const { notices } = await search({ query: text, limit: HITS }, never);
		marks.push([notices.includes(NOTHING_MATCHES) ? 1 : 0, 0]);
	}
	return [compared({ point: 11, remedy: "a minimum below which nothing matches", measure }, marks)];
}

async function brief({ search, idOf, questions }: Asked): Promise<PointResult[]> {
	const found: [number, number][] = [];
	const tokens: [number, number][] = [];
	for (const { text, grades } of questions) {
		const ask = async (limit: number) => (await search({ query: text, limit }, never)).hits;
		const [whole, compact] = [await ask(HITS), await ask(COMPACT_HITS)];
		const has = (hits: readonly Hit[]) => (hits.some(({ uri }) => grades.has(idOf(uri))) ? 1 : 0);
		const cost = (lines: readonly string[]) => tokensOf(lines.join("\n"));
		found.push([has(compact), has(whole)]);
		tokens.push([cost(compact.map(formatBriefly)), cost(whole.map(formatEvidence))]);
	}
	const remedy = "thirty compact hits instead of eight whole hits";
	return [
		compared({ point: 12, remedy, measure: "questions with an answering document among the hits" }, found),
		compared({ point: 12, remedy, measure: "tokens" }, tokens),
	];
}

/** Searches files of one heading each by that heading, with and without the passages of headings. */
async function findHeadings({ files }: Collection, embedder: Embedder): Promise<PointResult[]> {
	const titles = files.flatMap(({ text }) => /^title: "?([^"\n]+)/m.exec(text)?.[1] ?? []).slice(0, SAMPLE);
	const headings = titles.map((title, index) => ({
		...{ id: `${index}`, path: `${index}.md`, text: `# ${title}\n` },
	}));
	const isMore = ({ title, text }: Passage) =>
		text.replace(/^#+\s*/, "").trim() !== "" && text.trim() !== title;
	const ask = async (rewrite?: Rewrite): Promise<number[]> => {
		const { store, pathOf, idOf, close } = await openCorpus(headings, embedder, rewrite);
		const { search } = createRetriever({ store, embedder, pathOf });
		const marks: number[] = [];
		for (const [index, title] of titles.entries()) {
			const { hits } = await search({ query: title, limit: HITS }, never);
			marks.push(hits.some(({ uri }) => idOf(uri) === `${index}`) ? 1 : 0);
		}
		await close();
		return marks;
	};
	const [all, without] = [await ask(), await ask(({ passages }) => passages.filter(isMore))];
	const marks = all.map((mark, index) => [mark, without[index] ?? 0] as const);
	const remedy = "headings without text are passages";
	return [compared({ point: 3, remedy, measure: "files that are found by their only heading" }, marks)];
}

function tokensOf(text: string): number {
	return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function ndcgOf(hits: readonly Hit[], idOf: (uri: string) => string, grades: Grades): number {
	return qualityOf([...new Set(hits.map(({ uri }) => idOf(uri)))], grades).ndcg;
}
