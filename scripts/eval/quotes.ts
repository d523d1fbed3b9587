import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Embedder, WordModel } from "../../src/core/knowledge/embedder.ts";
import type { Answer } from "../../src/core/knowledge/knowledge.ts";
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
	/** Shares of the questions: the answer is in what is quoted; or nothing answers. */
	readonly right: number;
	readonly nothing: number;
	/** Milliseconds of the processor that an answer takes beyond its search: half of the questions take less, and 95 of 100. */
	readonly p50: number;
	readonly p95: number;
}

interface Asked {
	readonly text: string;
	/** Any of these is an answer. Empty where the folder has none. */
	readonly answers: readonly string[];
}

/** Hits that are read, as in the chat. */
const HITS = 8;

/** Words of an answer that are looked through. */
const MOST_WORDS = 80;

/** What no folder answers. */
const NONSENSE = ["xyzzy plugh", "blorf gnarl snee", "Who kept the Quellmoor Light?", "Wie spät ist es?"];

/** Asks for the answers of xquad, and of the sample; an eighth of the questions of xquad was used to fit the decision. */
export async function askForQuotes(data: string, embedder: Embedder & WordModel): Promise<QuoteResult[]> {
	const { files } = readCollection(data, "xquad-en");
	const open = openQuestions(data, "xquad-en");
	const sample = sampleQuestions();
	const unanswered = (questions: readonly Asked[]) => questions.map(({ text }) => ({ text, answers: [] }));
	const strange = NONSENSE.map((text) => ({ text, answers: [] }));
	return [
		...(await ask(files, embedder, {
			"xquad-en": open,
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
	embedder: Embedder & WordModel,
	sets: Readonly<Record<string, readonly Asked[]>>,
): Promise<QuoteResult[]> {
	const { store, graph, pathOf, close } = await openCorpus(files, embedder);
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const retriever = createRetriever({ store, embedder, pathOf, facts, words: embedder });
	const { signal } = new AbortController();
	const results: QuoteResult[] = [];
	for (const [name, questions] of Object.entries(sets)) {
		const answered = [];
		for (const { text, answers } of questions) {
			const search = (wantsAnswer: boolean) =>
				timed(() => retriever.search({ query: text, limit: HITS, wantsAnswer }, signal));
			const alone = await search(false);
			const { result, ms } = await search(true);
			const { answer, listing } = result;
			const items = listing?.items.map(({ label }) => label) ?? [];
			const said = items.length > 0 ? items.join("\n") : wordsOf(answer);
			const isRight = answers.some((one) => has(said, one));
			answered.push({ ms: Math.max(0, ms - alone.ms), isRight, isNothing: said === "" });
		}
		results.push(summarize(name, answered));
	}
	await close();
	return results;
}

async function timed<Result>(run: () => Promise<Result>) {
	const started = process.threadCpuUsage();
	const result = await run();
	const { user, system } = process.threadCpuUsage(started);
	return { result, ms: (user + system) / 1000 };
}

/** The first words of an answer; none if nothing answers. */
function wordsOf(answer: Answer | undefined): string {
	if (!answer || answer.kind === "nothing") return "";
	const told = answer.quotes.flatMap(({ lead = "", parts }) => [lead, ...parts.map(({ text }) => text)]);
	return told.join(" ").split(/\s+/).slice(0, MOST_WORDS).join(" ");
}

interface Answered {
	readonly ms: number;
	readonly isRight: boolean;
	readonly isNothing: boolean;
}

function summarize(name: string, answered: readonly Answered[]): QuoteResult {
	const share = (is: (one: Answered) => boolean) => meanOf(answered.map((one) => (is(one) ? 1 : 0)));
	const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
	return {
		...{ name, asked: answered.length },
		...{ right: share(({ isRight }) => isRight), nothing: share(({ isNothing }) => isNothing) },
		...{ p50: shareOf(times, 0.5), p95: shareOf(times, 0.95) },
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

/** Milliseconds that an answer may take beyond its search. */
const MOST_MS = 30;

/** What must hold. A question of the other folder may happen to have an answer in this one. */
export function quoteBars(results: readonly QuoteResult[]): Bar[] {
	const bar = (name: string, least: number): Bar[] =>
		results
			.filter((result) => result.name === name)
			.map(({ right }) => ({
				what: `Passages, ${name}: the answer is in what is quoted`,
				figures: `${right.toFixed(4)} (bar ${least.toFixed(3)})`,
				holds: right >= least,
			}));
	const strange = results.filter(({ name }) => name.includes(", asked"));
	return [
		...bar("xquad-en", 0.85),
		...bar("xquad-de", 0.77),
		...bar("sample", 0.8),
		...results.map(({ name, p95 }) => ({
			what: `Passages, ${name}: milliseconds of an answer beyond its search`,
			figures: `p95 ${p95.toFixed(1)} (bar ${MOST_MS})`,
			holds: p95 <= MOST_MS,
		})),
		...strange.map(({ name, nothing }) => ({
			what: `Passages, ${name}: nothing answers`,
			figures: `${nothing.toFixed(4)} (bar 0.900)`,
			holds: nothing >= 0.9,
		})),
	];
}

export function tellQuotes(results: readonly QuoteResult[]): string {
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const rows = results.map(({ name, asked, right, nothing, p50, p95 }) => {
		const found = name.includes(", asked") ? "–" : percent(right);
		const cells = [name, String(asked), found, percent(nothing), p50.toFixed(1), p95.toFixed(1)];
		return `| ${cells.join(" | ")} |`;
	});
	return [
		"## Passages: answers without a language model",
		"Whether the first 80 words of an answer have the known answer. If the questions are about another folder, nothing should answer. The times are those of the processor that an answer takes beyond its search, in milliseconds. There is no such collection in French, so French is only tested, on sentences of our own, and not measured.",
		[
			"| questions | asked | answered right | nothing answers | p50 | p95 |",
			"| --- | --- | --- | --- | --- | --- |",
			...rows,
		].join("\n"),
		FITTED,
	].join("\n\n");
}

/** How the decision was fitted and measured. */
const FITTED = `### Whether a section answers

One choice ranks the sections and decides: a softmax over the sections that were found and over silence says how likely each is. The best section and up to two others that are likely enough (.08) are shown, if they are so together (.28; \`src/answer/decide.ts\`). The signs that it goes by (\`src/answer/signs.ts\`) are the question's words, by weight, that the section and its best part have, or have a near word for; what chance tells in so many passages; missing words that are rare in any text, and missing names; words next to each other; the cosine of question and section; the score of its passage; whether it has the number, date or name that is asked for; whether it says what a thing is, or is under a heading that names just that; its form, its length, and how much it says beside the question. Besides, a question for a number, a date or a person needs one.

The weights are fitted, by greatest likelihood with a quadratic penalty, on 22 folders with 240 questions that people would ask, 35 of which nothing answers; on the same questions without the files that answer them; on questions of each folder asked in others; and on samples of awsdocs, cosqa, k8s-llm and xquad. Five weights are chosen: for code that declares a name, for code as a reason, for another number than the question's, for a missing name that few passages have, and for what is asked for by its name (“the phone number of”, “which colour”, “how many calories”) and is not there.

Of 105 everyday questions 90 are right with a citation, 2 wrong and 13 silent, and of 15 that nothing answers 12 stay unanswered. Before the last three signs were added, weights that were fitted without each folder had 76, 9, 20 and 9. Ten folders of other people, which no weight was fitted on, each with ten questions that it answers and two that it does not, are harder; ten others have 45 right, 13 wrong, 42 silent, and 20 of 20 rightly silent. How many sections are shown, and from which likelihood on, was chosen with all of these folders, so their figures are not of folders that were never looked at:

| folder | right | wrong | silent | rightly silent |
| --- | --- | --- | --- | --- |
| Basecamp's handbook | 7 | 0 | 3 | 1 of 2 |
| Chowdown's recipes | 9 | 1 | 0 | 2 of 2 |
| commander: a library in JavaScript | 5 | 3 | 2 | 2 of 2 |
| execa: a library in JavaScript | 2 | 1 | 7 | 2 of 2 |
| minutes of Rust's council | 4 | 3 | 3 | 2 of 2 |
| requests: a library in Python | 4 | 1 | 5 | 2 of 2 |
| endoflife.date, YAML and Markdown | 5 | 1 | 4 | 2 of 2 |
| a knowledge garden | 5 | 2 | 3 | 1 of 2 |
| FiveThirtyEight's tables | 5 | 0 | 5 | 2 of 2 |
| German laws on work | 2 | 2 | 6 | 2 of 2 |
| all | 48 | 14 | 38 | 18 of 20 |

An answer counts as right only if it has the words that were noted before, so some of the wrong ones tell a person more than nothing. Half of the silent ones ask in other words than the document's, or for a value in a table.`;
