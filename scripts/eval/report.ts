import type { Bar } from "./bars.ts";
import type { GraphResult } from "./graphQuestions.ts";
import type { Judged } from "./judge.ts";
import { leaveOneOut } from "./leaveOneOut.ts";
import { meanOf, randomisationTest } from "./measures.ts";
import type { ScenarioResult } from "./scenarios.ts";
import { LIKENESSES, PLAIN, SYSTEMS } from "./systems.ts";

/** Systems in the first tables. The others, which differ by thousandths, are in the table of changes. */
const SHOWN = [
	{ key: "text", title: "full text" },
	{ key: "vector", title: "vectors" },
	{ key: "shipped", title: "shipped" },
] as const;

/** The results of one collection. */
export interface CollectionReport {
	readonly name: string;
	readonly documents: number;
	readonly passages: number;
	readonly queries: number;
	readonly systems: Readonly<Record<keyof typeof SYSTEMS, Judged>>;
	/** Results of other systems by name. */
	readonly tried: readonly { readonly name: string; readonly judged: Judged }[];
}

export interface Report {
	readonly collections: readonly CollectionReport[];
	/** Questions over documents in another language. */
	readonly across: readonly CollectionReport[];
	readonly graphs: readonly GraphResult[];
	readonly scenarios: readonly ScenarioResult[];
	/** Section about descriptions, in Markdown. */
	readonly descriptions: string;
	/** Section about answers without a language model, in Markdown. */
	readonly quotes: string;
	/** Section about long questions, in Markdown. */
	readonly aspects: string;
	/** Section about the remedies, in Markdown. */
	readonly points: string;
	/** Section about made questions, in Markdown. */
	readonly made: string;
	readonly bars: readonly Bar[];
	/** Explanations of the tables, in Markdown. */
	readonly notes: string;
}

export function writeReport(report: Report): string {
	const { collections, across, graphs, scenarios, descriptions, quotes, aspects, points, made, bars, notes } =
		report;
	return [
		"# Retrieval quality",
		"`npm run eval` writes this page; do not edit it. The collections are in the folder in `COPILOT_LD_DATA`. The extension's own parser, built-in embedder, store and fusion process them. A document has the rank of its best passage.",
		notes,
		"## Bars",
		barTable(bars),
		"## Relevance: nDCG@10, mean average precision, recall at 100",
		qualityTable(collections),
		"p compares shipped with full text, by a two-sided randomization test with 10,000 seeded shuffles.",
		"### Questions in one language over documents in another",
		qualityTable(across),
		"These collections are translations of one another. If a passage is in another language than the question, its words count less, because both share only names and numbers.",
		"## What each part brings",
		"The table shows the mean nDCG@10 over the collections, and the largest loss and gain on one collection. “Hybrid” fuses full text and vectors. “Likeness to the best 2, 0.17” raises passages similar to the best two, with a weight of .17. p compares all queries with the hybrid.",
		ablationTable(collections),
		heldOut(collections),
		points,
		"## Questions to graphs",
		graphTable(graphs),
		made,
		"## Scenarios about the BioNova pages",
		scenarioMeans(scenarios),
		aspects,
		descriptions,
		quotes,
		"",
	].join("\n\n");
}

/** One row for each bar. A bar of several collections shows the collection with the least margin. */
function barTable(bars: readonly Bar[]): string {
	const rows = [...Map.groupBy(bars, ({ what }) => what)].map(([what, group]) => {
		const [closest, ...others] = group.toSorted((a, b) => (a.margin ?? 0) - (b.margin ?? 0));
		const failed = group.filter(({ holds }) => !holds).map(({ of = what }) => of);
		const where = others.length > 0 ? `${group.length} times, closest ${closest?.of}: ` : "";
		const name = others.length === 0 && closest?.of ? `${closest.of}: ${what}` : what;
		const mark = failed.length === 0 ? "✔" : ["✖", ...(others.length > 0 ? failed : [])].join(" ");
		return [mark, name, `${where}${closest?.figures}`];
	});
	return table(["", "bar", "measured"], rows);
}

function qualityTable(collections: readonly CollectionReport[]): string {
	const header = ["collection", "documents", "passages", "queries", ...SHOWN.map(({ title }) => title), "p"];
	const rows = collections.map(({ name, documents, passages, queries, systems }) => [
		name,
		count(documents),
		count(passages),
		count(queries),
		...SHOWN.map(({ key }) => {
			const { ndcg, averagePrecision, recall } = systems[key].mean;
			return [ndcg, averagePrecision, recall].map(figure).join(" ");
		}),
		chance(systems.shipped, systems.text),
	]);
	const means = SHOWN.map(({ key }) =>
		(["ndcg", "averagePrecision", "recall"] as const)
			.map((measure) => figure(meanOf(collections.map(({ systems }) => systems[key].mean[measure]))))
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
	const all = collections.map((report) => [
		...Object.values(report.systems),
		...report.tried.map(({ judged }) => judged),
	]);
	const hybrids = collections.map(({ systems: { hybrid } }) => hybrid);
	const rows = names.map((name, index) => {
		const systems = all.flatMap((row) => row[index] ?? []);
		const changes = systems.map(({ mean }, at) => mean.ndcg - (hybrids[at]?.mean.ndcg ?? 0));
		const mean = figure(meanOf(systems.map(({ mean }) => mean.ndcg)));
		const against = chance(pool(systems), pool(hybrids));
		return [name, mean, signed(Math.min(0, ...changes)), signed(Math.max(0, ...changes)), against];
	});
	return table(["", "mean", "loss", "gain", "p"], rows);
}

function signed(change: number): string {
	const rounded = figure(Math.abs(change));
	return rounded === ".000" ? "–" : `${change < 0 ? "−" : "+"}${rounded}`;
}

function heldOut(collections: readonly CollectionReport[]): string {
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
	const [gain, least] = [
		meanOf(held.map(({ gain }) => gain)).toFixed(4),
		Math.min(...held.map(({ gain }) => gain)).toFixed(4),
	];
	return `If the likeness to the best is chosen for each collection by the surest gain on all the others, it gains ${gain} on the mean and ${least} at worst.`;
}

/** Joins the queries of all collections into one. */
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

function scenarioMeans(scenarios: readonly ScenarioResult[]): string {
	const mean = (pick: (result: ScenarioResult) => number) => percent(meanOf(scenarios.map(pick)));
	return `We count the named things of a good answer that appear anywhere in the first eight hits or the listing, without a model. Over ${scenarios.length} scenarios, full text has ${mean(({ words }) => words)} of these things, the shipped search ${mean(({ shipped }) => shipped)}.`;
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
