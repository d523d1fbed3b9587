import type { Bar } from "./bars.ts";
import type { GraphResult } from "./graphQuestions.ts";
import type { BadAnswer, Judged } from "./judge.ts";
import { leaveOneOut } from "./leaveOneOut.ts";
import { meanOf, randomisationTest } from "./measures.ts";
import type { ScenarioResult } from "./scenarios.ts";
import { LIKENESSES, PLAIN, SYSTEMS } from "./systems.ts";

/** All that was measured on one collection. */
export interface CollectionReport {
	readonly name: string;
	readonly documents: number;
	readonly passages: number;
	readonly queries: number;
	readonly systems: Readonly<Record<keyof typeof SYSTEMS, Judged>>;
	/** By the name of the system. */
	readonly tried: readonly { readonly name: string; readonly judged: Judged }[];
	readonly worst: readonly BadAnswer[];
}

export interface Report {
	readonly collections: readonly CollectionReport[];
	/** Questions over documents in another language. */
	readonly across: readonly CollectionReport[];
	readonly graphs: readonly GraphResult[];
	readonly scenarios: readonly ScenarioResult[];
	/** A section in Markdown. */
	readonly descriptions: string;
	/** Another one. */
	readonly quotes: string;
	/** Another one. */
	readonly aspects: string;
	/** Another one. */
	readonly points: string;
	/** Another one. */
	readonly made: string;
	readonly bars: readonly Bar[];
	/** What the tables mean, in Markdown. */
	readonly notes: string;
}

export function writeReport(report: Report): string {
	const { collections, across, graphs, scenarios, descriptions, quotes, aspects, points, made, bars, notes } =
		report;
	return [
		"# Retrieval, measured",
		"Written by `npm run eval`; do not edit. The collections are read from the folder in `COPILOT_LD_DATA`, and go through the extension's own parser, built-in embedder, store and fusion. A document ranks where its best passage does.",
		notes,
		"## Relevance: nDCG@10, mean average precision, recall at 100",
		qualityTable(collections),
		"p is the chance that two equally good systems differ so much on these queries (two-sided randomisation test, 10,000 shuffles, seeded): of the shipped system against full text alone.",
		"### Questions in one language over documents in another",
		qualityTable(across),
		"The paragraphs and questions of xquad-de, xquad-ru and xquad-zh are translations of those of xquad-en. Here the words of a passage count less, because it is in another language than the question: names and numbers are what the two have in common.",
		"## What each part brings, and what was tried and dropped (nDCG@10)",
		ablationTable(collections),
		"How likeness to the best would have been chosen without the collection that it is measured on: the one of the nine above whose gain is surest on all the others, in its standard errors.",
		heldTable(collections),
		points,
		"## Questions to graphs",
		graphTable(graphs),
		made,
		"## Scenarios about the BioNova pages",
		"How much of what a good answer names stands in the eight hits and the listing, without a model. The names are those of things in the graph that the text of the scenario's evaluation has.",
		scenarioTable(scenarios),
		aspects,
		descriptions,
		quotes,
		"## The three worst queries of each collection",
		...collections.map(worstList),
		"## Bars",
		table(
			["bar", "measured", ""],
			bars.map(({ what, figures, holds }) => [what, figures, holds ? "✔" : "✖"]),
		),
		"",
	].join("\n\n");
}

function qualityTable(collections: readonly CollectionReport[]): string {
	const header = [
		"collection",
		"documents",
		"passages",
		"queries",
		...Object.values(SYSTEMS).map(({ name }) => name),
		"p",
	];
	const rows = collections.map(({ name, documents, passages, queries, systems }) => [
		name,
		count(documents),
		count(passages),
		count(queries),
		...Object.values(systems).map(({ mean }) =>
			[mean.ndcg, mean.averagePrecision, mean.recall].map(figure).join(" "),
		),
		chance(systems.shipped, systems.text),
	]);
	const means = Object.keys(SYSTEMS).map((key) =>
		(["ndcg", "averagePrecision", "recall"] as const)
			.map((measure) =>
				figure(meanOf(collections.map(({ systems }) => systems[key as keyof typeof SYSTEMS].mean[measure]))),
			)
			.join(" "),
	);
	return table(header, [...rows, ["**mean**", "", "", "", ...means, ""]]);
}

function chance(a: Judged, b: Judged): string {
	const p = randomisationTest(a.ndcgs, b.ndcgs);
	return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function ablationTable(collections: readonly CollectionReport[]): string {
	const [first] = collections;
	if (!first) return "There were no collections.";
	const names = [...Object.values(SYSTEMS).map(({ name }) => name), ...first.tried.map(({ name }) => name)];
	const judged = (report: CollectionReport) => [
		...Object.values(report.systems),
		...report.tried.map(({ judged }) => judged),
	];
	const all = collections.map(judged);
	const rows = names.map((name, index) => {
		const systems = all.flatMap((row) => row[index] ?? []);
		const ndcgs = systems.map(({ mean }) => mean.ndcg);
		const against = chance(pool(systems), pool(collections.map(({ systems: { hybrid } }) => hybrid)));
		return [name, ...ndcgs.map(figure), `**${figure(meanOf(ndcgs))}**`, against];
	});
	return table(["", ...collections.map(({ name }) => name), "mean", "p against hybrid, all queries"], rows);
}

function heldTable(collections: readonly CollectionReport[]): string {
	const judgedOf = ({ tried }: CollectionReport, names: readonly { readonly name: string }[]) =>
		tried.filter((system) => names.some(({ name }) => name === system.name));
	const held = leaveOneOut(
		collections.flatMap((report) =>
			judgedOf(report, [PLAIN]).map((plain) => ({
				name: report.name,
				choices: judgedOf(report, LIKENESSES),
				before: plain.judged,
			})),
		),
	);
	const rows = held.map(({ name, choice, ndcg, gain }) => [name, choice, figure(ndcg), gain.toFixed(4)]);
	const mean = figure(meanOf(held.map(({ ndcg }) => ndcg)));
	const gain = meanOf(held.map(({ gain }) => gain)).toFixed(4);
	return table(
		["collection", "choice of the others", "nDCG@10", "gain"],
		[...rows, ["**mean**", "", mean, gain]],
	);
}

/** All queries of all collections as one. */
function pool(judged: readonly Judged[]): Judged {
	const ndcgs = judged.flatMap((one) => one.ndcgs);
	return { mean: { ndcg: meanOf(ndcgs), averagePrecision: 0, recall: 0 }, ndcgs };
}

function graphTable(graphs: readonly GraphResult[]): string {
	const header = [
		"graph",
		"statements",
		"questions",
		"a gold answer in 200 rows",
		"all gold answers",
		"not covered by the graph",
		"numbers right",
		"median ms",
		"names read in ms",
	];
	const rows = graphs.map(({ name, statements, covered, uncovered, counts, medianMs, namesMs }) => [
		name,
		count(statements),
		count(covered.questions),
		percent(covered.any),
		percent(covered.all),
		uncovered.questions === 0 ? "none" : `${uncovered.questions}, ${percent(uncovered.any)} found`,
		counts.asked === 0 ? "none asked" : `${counts.right} of ${counts.asked}`,
		medianMs.toFixed(2),
		namesMs.toFixed(0),
	]);
	return table(header, rows);
}

function scenarioTable(scenarios: readonly ScenarioResult[]): string {
	const rows = scenarios.map(({ name, names, words, shipped }) => [
		name,
		count(names),
		percent(words),
		percent(shipped),
	]);
	const mean = (pick: (result: ScenarioResult) => number) => percent(meanOf(scenarios.map(pick)));
	const last = ["**mean**", "", mean(({ words }) => words), mean(({ shipped }) => shipped)];
	return table(["scenario", "names", "full text", "shipped"], [...rows, last]);
}

function worstList({ name, worst }: CollectionReport): string {
	const lines = worst.map(
		({ query, ndcg, reason }) => `- “${inline(query)}” (${figure(ndcg)}): ${inline(reason)}.`,
	);
	return [`**${name}**`, lines.join("\n")].join("\n\n");
}

/** Longer queries are told by their beginning. */
function inline(text: string): string {
	const line = text
		.replace(/\s+/g, " ")
		.trim()
		.replace(/[<>|*_`[\]\\]/g, "\\$&");
	return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function figure(value: number): string {
	return value.toFixed(3).replace(/^0/, "");
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}

function count(value: number): string {
	return value.toLocaleString("en");
}
