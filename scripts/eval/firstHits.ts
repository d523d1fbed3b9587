import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Embedder, WordModel } from "../../src/core/knowledge/embedder.ts";
import { formatListings } from "../../src/core/knowledge/evidence.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import type { Bar } from "./bars.ts";
import { linesOf } from "./collection.ts";
import { openCorpus } from "./corpus.ts";
import { has } from "./quotes.ts";

interface EverydayQuestion {
	readonly folder: string;
	readonly question: string;
	readonly kind: string;
	/** At least one string of each list must be found. */
	readonly gold: readonly (readonly string[])[];
	readonly gold_or?: readonly EverydayQuestion["gold"][];
	readonly answerable: boolean;
}

/** Number of hits that a model gets at once, including a listing. */
const HITS = 5;
const MOST_WORDS = 120;
/** Kinds of questions whose answers have several parts. */
const PARTS = ["list", "twopart"];

/** Asks the questions of everyday folders, and counts those whose first hits contain the whole answer. */
export async function firstHitBars(data: string, embedder: Embedder & WordModel): Promise<Bar[]> {
	const folder = join(data, "everyday");
	if (!existsSync(folder)) return [];
	const lines = linesOf(readFileSync(join(folder, "questions.jsonl"), "utf8"));
	const questions = lines.map((line) => JSON.parse(line) as EverydayQuestion);
	const asked: Asked[] = [];
	for (const name of new Set(questions.map((one) => one.folder))) {
		const ask = questions.filter((one) => one.folder === name && one.answerable);
		const texts = await firstHits(join(folder, "folders", name), ask, embedder);
		asked.push(...ask.map((question, index) => ({ question, texts: texts[index] ?? [] })));
	}
	const several = asked.filter(({ question }) => PARTS.includes(question.kind));
	const cut = (text: string) => text.split(/\s+/).slice(0, MOST_WORDS).join(" ");
	return [
		barOf(`first ${HITS} hits, with the listing, have the whole answer`, { asked, least: 0.95 }),
		barOf(
			`first ${HITS} hits, cut to ${MOST_WORDS} words each, have the whole answer`,
			{ asked, least: 0.95 },
			cut,
		),
		barOf(
			"cut hits have the whole answer, for lists and questions of two parts",
			{ asked: several, least: 0.92 },
			cut,
		),
	];
}

async function firstHits(
	folder: string,
	questions: readonly EverydayQuestion[],
	embedder: Embedder & WordModel,
): Promise<string[][]> {
	const paths = globSync("**/*", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
	const files = paths.sort().map((path) => {
		const told = path.split(sep).join("/");
		return { id: told, path: told, text: readFileSync(join(folder, path)) };
	});
	const { store, graph, pathOf, close } = await openCorpus(files, embedder);
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const retriever = createRetriever({ store, embedder, pathOf, facts, words: embedder });
	const found: string[][] = [];
	for (const { question } of questions) {
		const query = { query: question, limit: HITS, wantsAnswer: true, mostWords: MOST_WORDS };
		const result = await retriever.search(query, new AbortController().signal);
		const texts = [...formatListings(result), ...result.hits.map(({ text }) => text)];
		found.push(texts.slice(0, HITS));
	}
	await close();
	return found;
}

interface Asked {
	readonly question: EverydayQuestion;
	readonly texts: readonly string[];
}

function barOf(
	what: string,
	{ asked, least }: { readonly asked: readonly Asked[]; readonly least: number },
	cut = (text: string) => text,
): Bar {
	const right = asked.filter(({ question, texts }) => isIn(texts.map(cut).join("\n"), question)).length;
	const share = right / asked.length;
	const figures = `${right} of ${asked.length}, ${share.toFixed(2)} (bar ${least})`;
	return { what, of: "everyday", figures, margin: share - least, holds: share >= least };
}

function isIn(text: string, { gold, gold_or: others = [] }: EverydayQuestion): boolean {
	return [gold, ...others].some((one) => one.every((names) => names.some((name) => has(text, name))));
}
