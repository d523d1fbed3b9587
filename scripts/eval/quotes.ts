import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import type { SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { narrow } from "../../src/passages/narrow.ts";
import { type QuotedAnswer, quoteAnswer } from "../../src/passages/quoteAnswer.ts";
import { rehearse } from "../../src/passages/rehearse.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { root, sampleFolder } from "../paths.ts";
import type { Bar } from "./bars.ts";
import { type CorpusFile, linesOf, readCollection } from "./collection.ts";
import { openCorpus } from "./corpus.ts";
import { meanOf } from "./measures.ts";

/** How the questions of one kind are answered without a language model. */
export interface QuoteResult {
	readonly name: string;
	readonly asked: number;
	/** Shares of the questions: the answer is in the first quote, or in one of them. */
	readonly first: number;
	readonly any: number;
	/** Those that nothing was quoted for. */
	readonly nothing: number;
	/** Milliseconds of the processor after the search: half of the questions take less, 95 of 100 do, and all. */
	readonly p50: number;
	readonly p95: number;
	readonly max: number;
}

interface Asked {
	readonly text: string;
	/** Any of these is an answer. Empty where the folder has none. */
	readonly answers: readonly string[];
}

/** Hits that are read, as in the chat. */
const HITS = 8;

/** Milliseconds after the search. */
const LONGEST_MS = 30;

/** What no folder answers. */
const NONSENSE = ["xyzzy plugh", "blorf gnarl snee", "Who kept the Quellmoor Light?", "Wie spät ist es?"];

/** Asks for the answers of xquad-en, half of whose questions the weights were chosen on, and of the sample. */
export async function askForQuotes(data: string, embedder: Embedder): Promise<QuoteResult[]> {
	const { files } = readCollection(data, "xquad-en");
	const open = openQuestions(data, "xquad-en");
	const sample = sampleQuestions();
	const unanswered = (questions: readonly Asked[]) => questions.map(({ text }) => ({ text, answers: [] }));
	const strange = NONSENSE.map((text) => ({ text, answers: [] }));
	return [
		...(await ask(files, embedder, {
			"xquad-en, chosen on": open.filter((_, index) => index % 2 === 0),
			"xquad-en, held out": open.filter((_, index) => index % 2 === 1),
			"xquad-en, asked what the sample knows": [...unanswered(sample), ...strange],
		})),
		...(await ask(sampleFiles(), embedder, {
			sample,
			"the sample, asked what xquad-en knows": [...unanswered(open), ...strange],
		})),
		...(await ask(readCollection(data, "xquad-de").files, embedder, {
			"xquad-de": openQuestions(data, "xquad-de"),
		})),
	];
}

function openQuestions(data: string, name: string): Asked[] {
	const lines = linesOf(readFileSync(join(data, name, "queries.jsonl"), "utf8"));
	return lines.map((line) => JSON.parse(line) as Asked).filter(({ answers }) => answers?.length > 0);
}

async function ask(
	files: readonly CorpusFile[],
	embedder: Embedder,
	sets: Readonly<Record<string, readonly Asked[]>>,
): Promise<QuoteResult[]> {
	const { store, graph, pathOf, close } = await openCorpus(files, embedder);
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const retriever = createRetriever({ store, embedder, pathOf, facts });
	const results: QuoteResult[] = [];
	for (const [name, questions] of Object.entries(sets)) {
		const answered = [];
		for (const { text, answers } of questions) {
			// The chat does so while it searches.
			rehearse(text);
			const found = await retriever.search({ query: text, limit: HITS }, new AbortController().signal);
			const started = process.threadCpuUsage();
			const { listing, quotes } = quoteFrom(text, found, files);
			const { user, system } = process.threadCpuUsage(started);
			const ms = (user + system) / 1000;
			const items = listing?.items.map(({ label }) => label).join("\n");
			const said = [...(items ? [items] : []), ...quotes.map(({ lead = "", text }) => `${lead}: ${text}`)];
			answered.push({ ms, said: said.map((words) => answers.some((answer) => has(words, answer))) });
		}
		results.push(summarize(name, answered));
	}
	await close();
	return results;
}

/** As the chat does it, but for the way to the disk. */
function quoteFrom(asked: string, found: SearchResult, files: readonly CorpusFile[]): QuotedAnswer {
	const answer = quoteAnswer(asked, found);
	const quotes = answer.quotes.map((quote) => {
		const { path, lines } = quote.citation;
		const whole = files.find((file) => file.path === path)?.text ?? "";
		const text = whole
			.split("\n")
			.slice(lines.start - 1, lines.end)
			.join("\n");
		return narrow(quote, { text, lines });
	});
	return { ...answer, quotes };
}

function summarize(
	name: string,
	answered: readonly { readonly ms: number; readonly said: readonly boolean[] }[],
): QuoteResult {
	const share = (is: (said: readonly boolean[]) => boolean) =>
		meanOf(answered.map(({ said }) => (is(said) ? 1 : 0)));
	const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
	return {
		...{ name, asked: answered.length, nothing: share(({ length }) => length === 0) },
		...{ first: share(([first]) => first === true), any: share((said) => said.includes(true)) },
		...{ p50: shareOf(times, 0.5), p95: shareOf(times, 0.95), max: times.at(-1) ?? 0 },
	};
}

function shareOf(times: readonly number[], share: number): number {
	return times[Math.floor(share * times.length)] ?? 0;
}

function has(said: string, answer: string): boolean {
	const fold = (text: string) => text.toLowerCase().replace(/\s+/g, " ");
	return fold(said).includes(fold(answer));
}

function sampleFiles(): CorpusFile[] {
	const paths = globSync("**/*.*", { cwd: sampleFolder }).map((path) => path.split(sep).join("/"));
	return paths
		.sort()
		.map((path) => ({ id: path, path, text: readFileSync(join(sampleFolder, path), "utf8") }));
}

function sampleQuestions(): Asked[] {
	const text = readFileSync(join(root, "test", "sample", "questions.json"), "utf8");
	const questions = JSON.parse(text) as readonly {
		readonly question: string;
		readonly says: readonly string[];
	}[];
	return questions.map(({ question, says }) => ({ text: question, answers: says }));
}

/** What must hold. A question of the other folder may happen to have an answer in this one. */
export function quoteBars(results: readonly QuoteResult[]): Bar[] {
	const bar = (name: string, least: number): Bar[] =>
		results
			.filter((result) => result.name === name)
			.map(({ first }) => ({
				what: `Passages, ${name}: the answer is in the first quote`,
				figures: `${first.toFixed(4)} (bar ${least.toFixed(3)})`,
				holds: first >= least,
			}));
	const slowest = Math.max(...results.map(({ max }) => max));
	return [
		...bar("xquad-en, chosen on", 0.75),
		...bar("xquad-en, held out", 0.75),
		...bar("xquad-de", 0.65),
		...bar("sample", 0.9),
		{
			what: "Passages: milliseconds of the processor for the slowest of all answers",
			figures: `${slowest.toFixed(0)} (bar ${LONGEST_MS})`,
			holds: slowest < LONGEST_MS,
		},
	];
}

export function tellQuotes(results: readonly QuoteResult[]): string {
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const rows = results.map(({ name, asked, first, any, nothing, p50, p95, max }) => {
		const shares = name.includes(", asked") ? ["–", "–"] : [percent(first), percent(any)];
		const cells = [
			name,
			String(asked),
			...shares,
			percent(nothing),
			...[p50, p95, max].map((ms) => ms.toFixed(1)),
		];
		return `| ${cells.join(" | ")} |`;
	});
	return [
		"## Passages: answers without a language model",
		"Whether the words of a known answer stand in the first quote, or in one of the three at most. Where the questions are about another folder, nothing should be quoted. The times are those of the processor after the search, in milliseconds. There is no such collection in French, so French is only tested, on sentences of our own, and not measured.",
		[
			"| questions | asked | in the first quote | in one of them | nothing quoted | p50 | p95 | max |",
			"| --- | --- | --- | --- | --- | --- | --- | --- |",
			...rows,
		].join("\n"),
	].join("\n\n");
}
