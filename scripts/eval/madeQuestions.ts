import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Graph } from "../../src/graph/facts/graph.ts";
import { createSparql } from "../../src/graph/sparql/sparql.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import { type AskedQuestion, type Judgement, judgeListing, truthShown } from "./asked/askedQuestion.ts";
import { BIONOVA_LINKS } from "./asked/bionovaLinks.ts";
import { BIONOVA_PREFIXES } from "./asked/bionovaPatterns.ts";
import { BIONOVA_VALUES } from "./asked/bionovaValues.ts";
import { CK25_LINKS } from "./asked/ck25Links.ts";
import { CK25_PREFIXES } from "./asked/ck25Patterns.ts";
import { CK25_VALUES } from "./asked/ck25Values.ts";
import { askedOf, type Template } from "./asked/templates.ts";
import { WORLDCUP_PREFIXES, WORLDCUP_TEMPLATES } from "./asked/worldcupTemplates.ts";
import type { Bar } from "./bars.ts";
import { readGraph } from "./listings.ts";

/** Questions that must be answered. */
const LEAST_ANSWERED = 150;

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

/** Asks the listings what templates make of the data, and compares what they say with SPARQL. */
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
	}
	return judged;
}

async function judgeAll(
	asked: readonly AskedQuestion[],
	vocabulary: string,
	graph: Graph,
): Promise<Judgement[]> {
	const leg = createEntityLeg({ graph, store: { rowsAbout: async () => new Map() }, embedder: undefined });
	const judged: Judgement[] = [];
	for (const question of asked) {
		const listing = await leg.list(question.text, (path, lines) => ({ path, lines }));
		judged.push({ ...question, vocabulary, ...judgeListing(question, listing) });
	}
	return judged;
}

/** The bars, after a line for each wrong answer, and for each unanswered question if all are wanted. */
export function madeQuestionBars(judged: readonly Judgement[], { withUnanswered = false } = {}): Bar[] {
	if (judged.length === 0) return [];
	for (const { vocabulary, kind, text, verdict, said, truth } of judged) {
		const head = `▸ ${vocabulary}, ${kind}: ${text}`;
		if (verdict === "wrong") console.log(`${head}\n    said  ${said}\n    truth ${truthShown(truth)}`);
		if (verdict === "unanswered" && withUnanswered) console.log(`${head} (unanswered; ${truthShown(truth)})`);
	}
	const [wrong, right] = ["wrong", "right"].map((each) => judged.filter(({ verdict }) => verdict === each));
	return [
		{
			what: "answers to made questions that differ from SPARQL",
			figures: `${wrong?.length} of ${judged.length} (bar 0)`,
			holds: wrong?.length === 0,
		},
		{
			what: "made questions that are answered",
			figures: `${right?.length} of ${judged.length} (bar ${LEAST_ANSWERED})`,
			holds: (right?.length ?? 0) >= LEAST_ANSWERED,
		},
	];
}

const VERDICTS = ["right", "wrong", "unanswered", "silent"] as const;

/** The verdicts by vocabulary and kind, in Markdown. */
export function tellMadeQuestions(judged: readonly Judgement[]): string {
	const groups = Map.groupBy(judged, ({ vocabulary, kind }) => `${vocabulary} | ${kind}`);
	const whole = Map.groupBy(judged, ({ vocabulary }) => `**${vocabulary}** |`);
	const rows = [...groups, ...whole].map(([name, all]) => {
		const counts = VERDICTS.map((each) => all.filter(({ verdict }) => verdict === each).length);
		return `| ${name} | ${counts.join(" | ")} |`;
	});
	return [
		"## Made questions to graphs",
		"Questions that templates make of the classes, properties and names of the data. The truth is what SPARQL gives, or the table from which the files are written. Silent: a question that must stay unanswered, and does.",
		[`| data | kind | ${VERDICTS.join(" | ")} |`, "| --- | --- | --- | --- | --- | --- |", ...rows].join(
			"\n",
		),
	].join("\n\n");
}
