import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import type { RetrieverPorts } from "../../src/retrieve/search.ts";
import { type AspectResults, SHIPPED, type Variant } from "./aspects.ts";
import { askListings } from "./listings.ts";
import { meanOf, randomisationTest } from "./measures.ts";
import type { PointResult } from "./pointResult.ts";
import { longCitations, propertyWords } from "./pointsOfGraphs.ts";
import { noise } from "./pointsOfNoise.ts";
import { askWithout } from "./pointsOfQuestions.ts";
import type { CollectionReport } from "./report.ts";

/** Variants of the search, each without one remedy. */
export const VARIANTS: readonly Variant[] = [
	SHIPPED,
	{ name: "1", ports: apart },
	{ name: "2", result: ({ listing: _, otherListings: __, ...result }) => result },
	{ name: "6", query: { queries: [] } },
	{ name: "8", ports: (ports) => ({ ...ports, ...(ports.facts && { facts: unnamed(ports.facts) }) }) },
	{ name: "9", ports: (ports) => ({ ...ports, ...(ports.facts && { facts: unread(ports.facts) }) }) },
];

/** Gives each passage a resource of its own, so that passages about one thing are not joined. */
function apart(ports: RetrieverPorts): RetrieverPorts {
	const { store } = ports;
	const read: typeof store.read = async (rows) => {
		const passages = await store.read(rows);
		return new Map(
			Array.from(passages, ([row, { resource, ...passage }]) => [
				row,
				{ ...passage, ...(resource !== undefined && { resource: `${resource}#${passage.id}` }) },
			]),
		);
	};
	return { ...ports, store: { ...store, read } };
}

function unread(facts: NonNullable<RetrieverPorts["facts"]>) {
	return { ...facts, ready: async () => false };
}

/** Returns only one statement when all of a thing are requested, so linked things keep slugs instead of names. */
function unnamed(facts: NonNullable<RetrieverPorts["facts"]>) {
	const { graph } = facts;
	const match: typeof graph.match = function* (pattern) {
		for (const quad of graph.match(pattern)) {
			yield quad;
			if (pattern?.subject && Object.keys(pattern).length === 1) return;
		}
	};
	return { ...facts, graph: Object.create(graph, { match: { value: match } }) as typeof graph };
}

const ASPECTS: Readonly<Record<string, string>> = {
	1: "all passages about a thing are one hit; each named thing has a hit",
	2: "a listing, if the question counts or lists",
	6: "each part of a question is searched separately",
	8: "passages contain the names of linked things, not the ends of IRIs",
	9: "the first question waits for the graph",
};

/** Measures every remedy that can be switched off. */
export async function measurePoints(
	data: string,
	embedder: Embedder,
	{
		aspects,
		collections,
	}: { readonly aspects: AspectResults; readonly collections: readonly CollectionReport[] },
): Promise<PointResult[]> {
	const marks = (name: string) =>
		(aspects.get(name) ?? []).flatMap(({ found }) => found.map((isFound) => (isFound ? 1 : 0)));
	const long = Object.entries(ASPECTS).map(([name, remedy]) => ({
		...{ point: Number(name), remedy, measure: "aspects of the long questions" },
		...{ with: marks(SHIPPED.name), without: marks(name) },
	}));
	const ndcgs = (name: string) =>
		collections.flatMap(
			({ tried, systems }) => (tried.find((system) => system.name === name)?.judged ?? systems.hybrid).ndcgs,
		);
	const documents = {
		...{ point: 5, remedy: "all passages of a document count", measure: "nDCG@10, all questions" },
		...{ with: ndcgs("hybrid"), without: ndcgs("without counting all passages of a document") },
	};
	const others = existsSync(join(data, "ir", "k8s-llm")) ? await askWithout(data, embedder) : [];
	const graphs = [...(await longCitations(data, embedder)), ...(await propertyWords(data, embedder))];
	const put = await noise(data, embedder, collections);
	const listed = await askListings(data);
	const listings = {
		...{
			point: 2,
			remedy: "a listing, if the question counts or lists",
			measure: "questions that count or list and get the right listing",
		},
		...{ with: listed.map(({ isExact }) => (isExact ? 1 : 0)), without: listed.map(() => 0) },
	};
	return [...long, listings, documents, ...others, ...put, ...graphs].sort((a, b) => a.point - b.point);
}

export function tellPoints(results: readonly PointResult[]): string {
	const figure = (values: readonly number[]) =>
		meanOf(values)
			.toFixed(3)
			.replace(/^0(?=\.)/, "");
	const rows = results.map((result) => {
		const p = randomisationTest(result.with, result.without);
		const cells = [
			...[`${result.point}`, result.remedy, result.measure, `${result.with.length}`],
			...[figure(result.without), figure(result.with), p < 0.001 ? "< 0.001" : p.toFixed(3)],
		];
		return `| ${cells.join(" | ")} |`;
	});
	return [
		"## Effect of twelve remedies",
		INTRODUCTION,
		[
			"| | remedy | measured | questions | without | with | p |",
			"| --- | --- | --- | --- | --- | --- | --- |",
			...rows,
		].join("\n"),
		LIMITS,
	].join("\n\n");
}

const INTRODUCTION =
	"A remedy is a change that improves the search. The script removes each remedy alone. p is from a two-sided randomization test by question or aspect.";

const LIMITS = [
	"- Rows 3, 4, 11 and 12 use k8s-llm, with 100 of its questions.",
	"- Row 3 searches for files by their only text, a heading. Row 4 puts the last three words of questions in quotation marks.",
	"- In row 8, “without” includes text that the parsers omit. The 100 functions are exports of this project, searched by name.",
	"- Row 11 asks questions of cosqa, cranfield and xquad-en, and k8s-llm's own questions, for which “nothing matches” is wrong.",
].join("\n");
