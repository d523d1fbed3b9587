import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { heightOf, type LineRange, MOST_LINES } from "../../src/core/knowledge/citation.ts";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { importScenarios } from "../../src/knowledgeTests/importScenarios.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import type { EntityLeg } from "../../src/retrieve/legs.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import { openCorpus } from "./corpus.ts";
import { readQuestions, SETS } from "./graphQuestions.ts";
import { compared, type PointResult } from "./pointResult.ts";

/** Number of first results of the graph. */
const ROWS = 10;

const never = new AbortController().signal;

/** Whether hits cite at most `MOST_LINES` lines: with their own lines, and with those of the whole thing. */
export async function longCitations(data: string, embedder: Embedder): Promise<PointResult[]> {
	const folder = join(data, "pages", "bionova");
	const example = join(folder, "eval.example.yml");
	if (!existsSync(example)) return [];
	const files = globSync(join(folder, "*.html"))
		.sort()
		.map((page) => ({ id: page, path: basename(page), text: readFileSync(page, "utf8") }));
	const { store, graph, pathOf, close } = await openCorpus(files, embedder);
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const { search } = createRetriever({ store, embedder, pathOf, facts });
	const scenarios = importScenarios(readFileSync(example, "utf8")).tests;
	const found = [];
	for (const { ask, search: words = "" } of scenarios)
		found.push(...(await search({ query: ask ?? words, limit: 8 }, never)).hits);
	const whole = await Promise.all(
		found.map(async ({ uri, iri, lines }) => {
			const passages = iri === undefined ? [] : await store.passagesAbout(iri);
			const here = passages.filter((passage) => passage.uri === uri).map((passage) => passage.lines);
			const [start, end] = [here.map((one) => one.start), here.map((one) => one.end)];
			return { start: Math.min(lines.start, ...start), end: Math.max(lines.end, ...end) };
		}),
	);
	await close();
	const isShort = (lines: LineRange) => (heightOf(lines) <= MOST_LINES ? 1 : 0);
	const measure = `hits of the scenarios that cite at most ${MOST_LINES} lines`;
	const marks = found.map(({ lines }, index) => [isShort(lines), isShort(whole[index] ?? lines)] as const);
	return [
		compared({ point: 7, remedy: "a passage of a long value cites only its own lines", measure }, marks),
	];
}

/** Whether a first result of the graph answers: with properties matched by meaning, and by words only. */
export async function propertyWords(data: string, embedder: Embedder): Promise<PointResult[]> {
	const marks: [number, number][] = [];
	for (const [name, file] of Object.entries(SETS)) {
		const folder = join(data, "kg", name);
		if (!existsSync(folder)) continue;
		const text = readFileSync(join(folder, file), "utf8");
		const { graph, store, close } = await openCorpus([{ id: name, path: file, text }], embedder);
		const byWords = createEntityLeg({ graph, store, words: undefined });
		const byMeaning = createEntityLeg({ graph, store, words: embedder });
		const answersFirst = async (leg: EntityLeg, query: string, answers: readonly string[]) => {
			const rows = await leg.reach(query, (reached) =>
				reached.filter(({ last }) => last).map(({ node }) => graph.termAt(node).value),
			);
			return [...new Set(rows)].slice(0, ROWS).some((row) => answers.includes(row)) ? 1 : 0;
		};
		for (const { text: query, answers, isCovered } of readQuestions(join(folder, "questions.jsonl"))) {
			if (!isCovered || answers.length === 0) continue;
			const worded = await answersFirst(byWords, query, answers);
			marks.push([await answersFirst(byMeaning, query, answers), worded]);
		}
		await close();
	}
	const measure = `questions to graphs with an answer among the first ${ROWS} rows`;
	return [compared({ point: 10, remedy: "names of properties match by meaning, too", measure }, marks)];
}
