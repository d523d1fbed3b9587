import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { createSparql } from "../../src/graph/sparql/sparql.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import { type AskedQuestion, type Judgement, judgeListing, truthShown } from "./asked/askedQuestion.ts";
import { BIONOVA_LINKS } from "./asked/bionovaLinks.ts";
import { BIONOVA_PREFIXES } from "./asked/bionovaPatterns.ts";
import { BIONOVA_VALUES } from "./asked/bionovaValues.ts";
import { CK25_LINKS } from "./asked/ck25Links.ts";
import { ck25Questions } from "./asked/ck25Own.ts";
import { CK25_PREFIXES } from "./asked/ck25Patterns.ts";
import { CK25_VALUES } from "./asked/ck25Values.ts";
import { ENGLISH_TABLES } from "./asked/englishTables.ts";
import { GERMAN_TABLES } from "./asked/germanTables.ts";
import { JSON_LISTS } from "./asked/jsonLists.ts";
import { fileOf, makeTables } from "./asked/madeTables.ts";
import { askTable } from "./asked/tableQuestions.ts";
import { askedOf, type Template } from "./asked/templates.ts";
import { WORLDCUP_PREFIXES, WORLDCUP_TEMPLATES } from "./asked/worldcupTemplates.ts";
import type { Bar } from "./bars.ts";
import { addFile, readGraph } from "./listings.ts";

/** Minimum number of answered questions. */
const LEAST_ANSWERED = 150;

/** Known mistake: the query for "How many suppliers do we have in France?" counts only those that supply something. */
const MOST_OWN_WRONG = 1;

const VOCABULARIES: readonly {
	readonly name: string;
	readonly files: string;
	readonly prefixes: string;
	readonly templates: readonly Template[];
}[] = [
	{
		name: "bionova",
		files: "pages/bionova/*.html",
		prefixes: BIONOVA_PREFIXES,
		templates: [...BIONOVA_LINKS, ...BIONOVA_VALUES],
	},
	{
		name: "ck25",
		files: "kg/ck25/graph.ttl",
		prefixes: CK25_PREFIXES,
		templates: [...CK25_LINKS, ...CK25_VALUES],
	},
	{
		name: "worldcup2014",
		files: "kg/worldcup2014/graph.nt",
		prefixes: WORLDCUP_PREFIXES,
		templates: WORLDCUP_TEMPLATES,
	},
];

/** Asks questions made from templates and the data, and compares the listings with SPARQL. */
export async function askMadeQuestions(data: string): Promise<Judgement[]> {
	if (!existsSync(join(data, "kg", "ck25"))) return [];
	const judged: Judgement[] = [];
	for (const { name, files, prefixes, templates } of VOCABULARIES) {
		const graph = await readGraph(join(data, files));
		const threadUrl = new URL("../../src/graph/sparql/sparqlThread.ts", import.meta.url);
		const sparql = createSparql({ graph, threadUrl });
		const asked = await askedOf(templates, prefixes, sparql);
		await sparql.close();
		judged.push(...(await judgeAll(asked, name, graph)));
		if (name === "ck25") judged.push(...(await judgeAll(ck25Questions(data), `${name}, its own`, graph)));
	}
	return [...judged, ...(await askTables())];
}

/** Asks about made tables, which form one graph. */
async function askTables(): Promise<Judgement[]> {
	const tables = makeTables([...ENGLISH_TABLES, ...GERMAN_TABLES, ...JSON_LISTS]);
	const judged: Judgement[] = [];
	for (const [folder, own] of Map.groupBy(tables, ({ folder }) => folder)) {
		const graph = createGraph();
		for (const { path, text } of own.map(fileOf))
			await addFile(graph, `file:///made/${path}`, Buffer.from(text));
		const asked = own.flatMap((table) => askTable(table, tables));
		judged.push(...(await judgeAll(asked, folder, graph)));
	}
	return judged;
}

async function judgeAll(
	asked: readonly AskedQuestion[],
	vocabulary: string,
	graph: Graph,
): Promise<Judgement[]> {
	const leg = createEntityLeg({ graph, store: { rowsAbout: async () => new Map() }, words: undefined });
	const judged: Judgement[] = [];
	for (const question of asked) {
		const listing = await leg.list(question.text, (path, lines) => ({ path, lines }));
		judged.push({ ...question, vocabulary, ...judgeListing(question, listing) });
	}
	return judged;
}

/** Returns the bars. Prints wrong answers, and on request unanswered questions. */
export function madeQuestionBars(judged: readonly Judgement[], { withUnanswered = false } = {}): Bar[] {
	if (judged.length === 0) return [];
	for (const { vocabulary, kind, text, verdict, said, truth } of judged) {
		const head = `▸ ${vocabulary}, ${kind}: ${text}`;
		if (verdict === "wrong") console.log(`${head}\n    said  ${said}\n    truth ${truthShown(truth)}`);
		if (verdict === "unanswered" && withUnanswered) console.log(`${head} (unanswered; ${truthShown(truth)})`);
	}
	const [own, made] = [true, false].map((isOwn) => judged.filter(({ kind }) => (kind === "own") === isOwn));
	const countOf = (wanted: Judgement["verdict"], all: readonly Judgement[] = []) =>
		all.filter(({ verdict }) => verdict === wanted).length;
	const [wrong, right, ownWrong] = [countOf("wrong", made), countOf("right", made), countOf("wrong", own)];
	return [
		{
			what: "listings for made questions that differ from the true result",
			figures: `${wrong} of ${made?.length} (bar 0)`,
			holds: wrong === 0,
		},
		{
			what: "made questions that get the right listing",
			figures: `${right} of ${made?.length} (bar ${LEAST_ANSWERED})`,
			holds: right >= LEAST_ANSWERED,
		},
		{
			what: "listings for the questions of ck25 that differ from its gold answers",
			figures: `${ownWrong} of ${own?.length}, ${countOf("right", own)} right (bar ${MOST_OWN_WRONG})`,
			holds: ownWrong <= MOST_OWN_WRONG,
		},
	];
}

const VERDICTS = ["right", "wrong", "unanswered", "silent"] as const;

/** A Markdown table of the verdicts by vocabulary. */
export function tellMadeQuestions(judged: readonly Judgement[]): string {
	const rows = [...Map.groupBy(judged, ({ vocabulary }) => vocabulary)].map(([name, all]) => {
		const counts = VERDICTS.map((each) => all.filter(({ verdict }) => verdict === each).length);
		return `| ${name} | ${counts.join(" | ")} |`;
	});
	return [
		"## Made questions to graphs",
		"Templates make questions from the classes, properties and names of the data: counts, links, values, paths of two steps, two conditions joined by “and” or “or”, negation, limits, extremes and comparisons. SPARQL, or the table from which the files were made, gives the true result. “Silent” questions have no answer and get none.",
		[`| data | ${VERDICTS.join(" | ")} |`, "| --- | --- | --- | --- | --- |", ...rows].join("\n"),
	].join("\n\n");
}
