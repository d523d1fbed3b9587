import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import type { Graph } from "../../src/graph/facts/graph.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import type { EntityLeg } from "../../src/retrieve/legs.ts";
import { linesOf } from "./collection.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { meanOf } from "./measures.ts";

/** Number of first rows of the graph leg that count as found. */
const ROWS = 200;

/** Results of a set of questions about a graph. */
export interface GraphResult {
	readonly name: string;
	readonly statements: number;
	/** Questions whose answer is in the graph, according to the data set. */
	readonly covered: Answered;
	/** Questions whose answer is not in the graph. */
	readonly uncovered: Answered;
	/** Questions for a number, and those with the right number in the listing. */
	readonly counts: { readonly asked: number; readonly right: number };
	/** Median time of a question. */
	readonly medianMs: number;
	readonly namesMs: number;
}

interface Answered {
	readonly questions: number;
	/** Share of the questions with all gold answers among the rows. */
	readonly all: number;
	readonly any: number;
}

interface Question {
	readonly text: string;
	/** IRIs of the answers; empty if the question asks for a number. */
	readonly answers: readonly string[];
	readonly count?: number;
	readonly isCovered: boolean;
}

/** The file of the graph in the folder of each set. */
export const SETS = { worldcup2014: "graph.nt", "pathquestion-2h": "graph.nt", ck25: "graph.ttl" };

export async function askGraphs(folder: string, embedder: Embedder): Promise<GraphResult[]> {
	const results: GraphResult[] = [];
	for (const [name, file] of Object.entries(SETS))
		if (existsSync(join(folder, name))) results.push(await askGraph({ folder, name, file }, embedder));
	return results;
}

async function askGraph(
	{ folder, name, file }: { readonly folder: string; readonly name: string; readonly file: string },
	embedder: Embedder,
): Promise<GraphResult> {
	const text = readFileSync(join(folder, name, file), "utf8");
	const corpus = await openCorpus([{ id: name, path: file, text }], embedder);
	const { graph, store } = corpus;
	const leg = createEntityLeg({ graph, store, words: embedder });
	const started = performance.now();
	await leg.reach("", () => undefined);
	const namesMs = performance.now() - started;
	const questions = readQuestions(join(folder, name, "questions.jsonl"));
	const asked = [];
	for (const question of questions) asked.push(await ask(question, { leg, graph, corpus }));
	await corpus.close();
	const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
	const listed = asked.filter(({ isRight }) => isRight !== undefined);
	return {
		...{ name, statements: graph.size, namesMs, medianMs: times[times.length >> 1] ?? 0 },
		covered: summarize(asked.filter(({ question }) => question.isCovered)),
		uncovered: summarize(asked.filter(({ question }) => !question.isCovered)),
		counts: { asked: listed.length, right: listed.filter(({ isRight }) => isRight).length },
	};
}

interface Asked {
	readonly question: Question;
	readonly found: number;
	/** Whether the number is right; absent if the question does not ask for one. */
	readonly isRight?: boolean;
	readonly ms: number;
}

interface Askable {
	readonly leg: EntityLeg;
	readonly graph: Graph;
	readonly corpus: Corpus;
}

async function ask(question: Question, { leg, graph, corpus }: Askable): Promise<Asked> {
	const started = performance.now();
	const nodes = await leg.reach(question.text, (reached) =>
		reached.slice(0, ROWS).map(({ node, last }) => ({ node, isNamed: last === undefined })),
	);
	const ms = performance.now() - started;
	// Things that the question names are not answers, unless two statements lead back to them.
	const rows = new Set(nodes.filter(({ isNamed }) => !isNamed).map(({ node }) => graph.termAt(node).value));
	const found = question.answers.filter((answer) => rows.has(answer)).length;
	if (question.count === undefined) return { question, found, ms };
	const listing = await leg.list(question.text, (uri, lines) => ({ path: corpus.pathOf(uri), lines }));
	return { question, found, ms, isRight: listing?.total === question.count };
}

function summarize(asked: readonly Asked[]): Answered {
	const named = asked.filter(({ question }) => question.answers.length > 0);
	return {
		questions: named.length,
		all: meanOf(named.map(({ question, found }) => (found === question.answers.length ? 1 : 0))),
		any: meanOf(named.map(({ found }) => (found > 0 ? 1 : 0))),
	};
}

interface QuestionLine {
	readonly question: string | { readonly en: string };
	readonly answers_iri?: readonly string[];
	readonly gold?: { readonly rows?: readonly Readonly<Record<string, string>>[] };
	readonly covered?: boolean;
}

export function readQuestions(file: string): Question[] {
	return linesOf(readFileSync(file, "utf8")).map((line) => {
		const { question, answers_iri: iris, gold, covered = true } = JSON.parse(line) as QuestionLine;
		const values = (gold?.rows ?? []).flatMap((row) => Object.values(row));
		const answers = iris ?? values.flatMap((value) => (value.startsWith("<") ? [value.slice(1, -1)] : []));
		const [number] = /^"(\d+)"\^\^/.exec(values.length === 1 ? (values[0] ?? "") : "")?.slice(1) ?? [];
		const text = typeof question === "string" ? question : question.en;
		return { text, answers, isCovered: covered, ...(number !== undefined && { count: Number(number) }) };
	});
}
