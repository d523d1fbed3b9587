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
	1: "what places say of one thing is one hit; each named thing has one",
	2: "a listing, where the question lists",
	6: "each part of a question is asked by itself",
	8: "linked things are told by their names, not by the ends of their IRIs",
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
		...{ with: ndcgs("hybrid"), without: ndcgs("without documents (before)") },
	};
	const others = existsSync(join(data, "ir", "k8s-llm")) ? await askWithout(data, embedder) : [];
	const graphs = [...(await longCitations(data, embedder)), ...(await propertyWords(data, embedder))];
	const put = await noise(data, embedder, collections);
	const listed = await askListings(data);
	const listings = {
		...{
			point: 2,
			remedy: "a listing, where the question lists",
			measure: "questions that count or list, with the right listing",
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
		"## Twelve remedies, each taken out",
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
	"Each remedy is taken out of the whole search by this script; the product has no switch for it. p is of the same test, by question or aspect.";

const LIMITS = [
	"- Rows 5, 8 (noise) and 10 use all questions; the others the twenty long questions, 100 of k8s-llm, or the scenarios.",
	"- 3 and 4 are made for this table: files of one heading are asked for by it, and the last three words of a question are put in quotation marks.",
	"- 8: what the parsers leave out is put back as passages. The functions are a hundred that this project exports, asked for by name.",
	"- 11: questions about Python, aerodynamics and the topics of xquad-en, asked of k8s-llm; and its own questions, where “nothing” is wrong.",
].join("\n");
