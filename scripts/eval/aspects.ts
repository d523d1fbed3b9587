import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { formatEvidence, formatListings } from "../../src/core/knowledge/evidence.ts";
import type { SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createRetriever, type RetrieverPorts } from "../../src/retrieve/search.ts";
import type { Bar } from "./bars.ts";
import { type CorpusFile, readCollection } from "./collection.ts";
import { type Corpus, openCorpus } from "./corpus.ts";

/** Hits that are read, as in the chat. */
const HITS = 8;

const LEAST = 36 / 40;

/** A long question, and what a whole answer needs: words that some hit must have, or the path of its file. */
interface LongQuestion {
	readonly about: "bionova" | "awsdocs" | "k8s-llm";
	readonly question: string;
	readonly aspects: readonly RegExp[];
}

const QUESTIONS: readonly LongQuestion[] = [
	{
		about: "bionova",
		question: "Compare how Oncora, Immunex, Neurova and Cardiozen act on the body.",
		aspects: [/escape kinase/, /antigen presentation/, /excitatory signaling/, /vasodilatory signaling/],
	},
	{
		about: "bionova",
		question: "Which platforms does MolecularForge depend on, and what are DataLake, MLFlow and GMP360 for?",
		aspects: [
			/DrugDesignStudio|drugdesignstudio/,
			/Platform.* DataLake/i,
			/Platform.* MLFlow/i,
			/Platform.* GMP360/i,
		],
	},
	{
		about: "bionova",
		question:
			"Who directs manufacturing, who directs commercial, who leads IT, and who is the scientific officer?",
		aspects: [/Hephaestus/, /Rhea/, /Gaia/, /Zeus/],
	},
	{
		about: "bionova",
		question:
			"What do Vitalis, NovaMed, OncoVex and NeuroGenex target, and how far is each of them in its trials?",
		aspects: [/mitochondrial efficiency/, /JAK1/, /abscopal/, /coactivator 1-alpha/],
	},
	{
		about: "bionova",
		question:
			"How are deviations triaged under GMP, what does the GMP policy require, which course teaches the basics, and which trial data must be cleaned?",
		aspects: [/Deviation Triage/, /GMP Policy/, /GMP Fundamentals/, /howto-clinical-data/],
	},
	{
		about: "awsdocs",
		question:
			"For our database migration: can I stop a DB instance that has a read replica, which storage engines are recommended for MariaDB, what does autovacuum do in PostgreSQL, and what is the maximum IOPS of General Purpose SSD storage?",
		aspects: [/USER_StopInstance/, /CHAP_BestPractices/, /autovacuum/, /CHAP_Storage/],
	},
	{
		about: "awsdocs",
		question:
			"We train models on SageMaker. Why use Elastic Inference? What does Model Monitor do? What is Debugger good for? And can we attach a Git repository to a notebook instance?",
		aspects: [/\/ei[.-]/, /model-monitor/, /train-debugger/, /nbi-git-repo/],
	},
	{
		about: "awsdocs",
		question:
			"Give me the limits of transit gateway attachments and of Lambda deployment packages, how Greengrass encrypts data in transit, and whether CodePipeline runs in a VPC.",
		aspects: [/transit-gateway-quotas/, /lambda.*limits/, /encryption-in-transit/, /vpc-support/],
	},
	{
		about: "k8s-llm",
		question:
			"How do I encrypt secrets at rest, pause a batch job, scale the cluster's DNS automatically, and align CPU and memory with NUMA nodes?",
		aspects: [/encrypt-data/, /controllers.job/, /dns-horizontal-autoscaling/, /topology-manager/],
	},
	{
		about: "k8s-llm",
		question:
			"Our teams share a cluster: how are they kept apart from each other, which permissions can roles give to a service account, how do network policies help, and how is a volume restored from a snapshot?",
		aspects: [/multi-tenancy/, /rbac/, /network-policies/, /volume-snapshots/],
	},
];

/** Which aspects of a question the hits have. */
export interface AspectResult {
	readonly question: string;
	readonly found: readonly boolean[];
}

/** A search with something taken out. */
export interface Variant {
	readonly name: string;
	readonly ports?: (ports: RetrieverPorts) => RetrieverPorts;
	readonly query?: Partial<SearchQuery>;
	readonly result?: (result: SearchResult) => SearchResult;
}

/** By the name of the variant. */
export type AspectResults = ReadonlyMap<string, readonly AspectResult[]>;

export async function askLongQuestions(
	data: string,
	embedder: Embedder,
	variants: readonly Variant[] = [SHIPPED],
): Promise<AspectResults> {
	const results = new Map(variants.map(({ name }) => [name, [] as AspectResult[]]));
	for (const [about, questions] of Map.groupBy(QUESTIONS, (one) => one.about)) {
		const files = filesOf(data, about);
		if (files.length === 0) continue;
		const corpus = await openCorpus(files, embedder);
		for (const variant of variants)
			results.get(variant.name)?.push(...(await askEach(questions, variant, { corpus, embedder })));
		await corpus.close();
	}
	return results;
}

export const SHIPPED: Variant = { name: "shipped" };

async function askEach(
	questions: readonly LongQuestion[],
	variant: Variant,
	{ corpus, embedder }: { readonly corpus: Corpus; readonly embedder: Embedder },
): Promise<AspectResult[]> {
	const { store, graph, pathOf } = corpus;
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	const ports = { store, embedder, pathOf, facts };
	const { search } = createRetriever(variant.ports?.(ports) ?? ports);
	const results: AspectResult[] = [];
	for (const { question, aspects } of questions) {
		const query = { query: question, limit: HITS, ...variant.query };
		const given = await search(query, new AbortController().signal);
		const result = variant.result?.(given) ?? given;
		const shown = [...formatListings(result), ...result.hits.map(formatEvidence)].join("\n");
		results.push({ question, found: aspects.map((aspect) => aspect.test(shown)) });
	}
	return results;
}

export function aspectBars(results: readonly AspectResult[]): Bar[] {
	if (results.length === 0) return [];
	const all = results.flatMap(({ found }) => found);
	const found = all.filter(Boolean).length;
	return [
		{
			what: "aspects of ten long questions in eight hits",
			figures: `${found} of ${all.length} (bar 36 of 40)`,
			holds: found >= LEAST * all.length,
		},
	];
}

function filesOf(data: string, about: LongQuestion["about"]): readonly CorpusFile[] {
	if (about !== "bionova")
		return existsSync(join(data, "ir", about)) ? readCollection(join(data, "ir"), about).files : [];
	return globSync(join(data, "pages", about, "*.html"))
		.sort()
		.map((page) => ({ id: page, path: basename(page), text: readFileSync(page, "utf8") }));
}

export function tellAspects(results: readonly AspectResult[]): string {
	const rows = results.map(
		({ question, found }) => `| ${question} | ${found.filter(Boolean).length} of ${found.length} |`,
	);
	return [
		"## Long questions",
		"Ten questions of several parts each, written for this project. An aspect counts where a hit among the first eight, or the listing, has the words or the file that answer it. Before names, parts and documents were heeded, the same script counted 16 of 40, with one pattern misspelled: it may have been 17.",
		["| question | aspects found |", "| --- | --- |", ...rows].join("\n"),
	].join("\n\n");
}
