import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { formatEvidence, formatListing } from "../../src/core/knowledge/evidence.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import type { Bar } from "./bars.ts";
import { type CorpusFile, readCollection } from "./collection.ts";
import { openCorpus } from "./corpus.ts";

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

/** How many aspects of a question the hits have. */
export interface AspectResult {
	readonly question: string;
	readonly aspects: number;
	readonly found: number;
}

export async function askLongQuestions(data: string, embedder: Embedder): Promise<AspectResult[]> {
	const results: AspectResult[] = [];
	for (const [about, questions] of Map.groupBy(QUESTIONS, (one) => one.about)) {
		const files = filesOf(data, about);
		if (files.length === 0) continue;
		const { store, graph, pathOf, close } = await openCorpus(files, embedder);
		const facts = { graph, ready: async () => true, catchUp: () => undefined };
		const { search } = createRetriever({ store, embedder, pathOf, facts });
		for (const { question, aspects } of questions) {
			const { hits, listing } = await search({ query: question, limit: HITS }, new AbortController().signal);
			const shown = [...(listing ? [formatListing(listing)] : []), ...hits.map(formatEvidence)].join("\n");
			const found = aspects.filter((aspect) => aspect.test(shown)).length;
			results.push({ question, aspects: aspects.length, found });
		}
		await close();
	}
	return results;
}

export function aspectBars(results: readonly AspectResult[]): Bar[] {
	if (results.length === 0) return [];
	const sum = (pick: (result: AspectResult) => number) =>
		results.reduce((total, result) => total + pick(result), 0);
	const [found, all] = [sum((result) => result.found), sum(({ aspects }) => aspects)];
	return [
		{
			what: "aspects of ten long questions in eight hits",
			figures: `${found} of ${all} (bar 36 of 40)`,
			holds: found >= LEAST * all,
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
	const rows = results.map(({ question, aspects, found }) => `| ${question} | ${found} of ${aspects} |`);
	return [
		"## Long questions",
		"Ten questions of several parts each, written for this project. An aspect counts where a hit among the first eight, or the listing, has the words or the file that answer it. Before names, parts and documents were heeded, the same script counted 16 of 40, with one pattern misspelled: it may have been 17.",
		["| question | aspects found |", "| --- | --- |", ...rows].join("\n"),
	].join("\n\n");
}
