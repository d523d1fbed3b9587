import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Descriptor } from "../../src/core/knowledge/descriptor.ts";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { createDescriptorLeg, type DescriptorLeg } from "../../src/retrieve/descriptorLeg.ts";
import { createRetriever, type Retriever } from "../../src/retrieve/search.ts";
import { createDescriptorIndex, textOf } from "../../src/search/descriptorIndex.ts";
import { root, sampleFolder } from "../paths.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { meanOf } from "./measures.ts";

/** Number of first ranks that count. */
const PLACES = 3;

interface Question {
	readonly question: string;
	/** The document that answers the question. */
	readonly path: string;
}

/** Effect of descriptions on one set of questions about the sample. */
interface DescriptionResult {
	readonly questions: string;
	readonly described: string;
	/** Ranks without and with descriptions. */
	readonly ranks: readonly [before: readonly number[], after: readonly number[]];
}

/** Asks questions in other words than the documents', and questions in the documents' words. */
export async function askDescribed(embedder: Embedder): Promise<DescriptionResult[]> {
	const paths = globSync("**/*.*", { cwd: sampleFolder }).map((path) => path.split(sep).join("/"));
	const files = paths.map((path) => ({
		id: path,
		path,
		text: readFileSync(join(sampleFolder, path), "utf8"),
	}));
	const corpus = await openCorpus(files, embedder);
	const sets: Readonly<Record<string, readonly Question[]>> = {
		"in other words than the document": read("otherWords.json"),
		"in the document's words": ownWords(),
	};
	const all = paths.toSorted();
	const parts = { all, "every second document": all.filter((_, index) => index % 2 === 0) };
	const results: DescriptionResult[] = [];
	const plain = retrieverOn(corpus, embedder);
	for (const [described, chosen] of Object.entries(parts)) {
		const retriever = retrieverOn(corpus, embedder, await legOver(chosen, corpus, embedder));
		for (const [questions, set] of Object.entries(sets)) {
			const ranks = [await ranksOf(set, plain), await ranksOf(set, retriever)] as const;
			results.push({ questions, described, ranks });
		}
	}
	await corpus.close();
	return results;
}

/** A Markdown section of the report. */
export function describeResults(results: readonly DescriptionResult[]): string {
	const rows = results.map(({ questions, described, ranks }) => [
		questions,
		ranks[0].length,
		described,
		tellFound(...ranks),
		ranks.map(reciprocal).join(" → "),
	]);
	const header = [
		"questions",
		"",
		"described",
		`the document is in the first ${PLACES}`,
		"mean reciprocal rank",
	];
	return [
		"## Descriptions by a language model",
		"The table compares the search of the sample without and with descriptions (→). The descriptions were written before the questions, both for this project. So the table shows that descriptions work and what they displace, but not their effect in other folders.",
		[header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
	].join("\n\n");
}

function tellFound(before: readonly number[], after: readonly number[]): string {
	const [were, are] = [before, after].map((ranks) => ranks.map((rank) => rank <= PLACES));
	const count = (isMeant: (was: boolean, is: boolean) => boolean) =>
		before.filter((_, at) => isMeant(were?.[at] ?? false, are?.[at] ?? false)).length;
	const [came, went] = [count((was, is) => is && !was), count((was, is) => was && !is)];
	const moved = came + went > 0 ? ` (${came} came, ${went} went)` : "";
	return `${count((was) => was)} → ${count((_, is) => is)}${moved}`;
}

function reciprocal(ranks: readonly number[]): string {
	return meanOf(ranks.map((rank) => 1 / rank)).toFixed(3);
}

function retrieverOn({ store, graph, pathOf }: Corpus, embedder: Embedder, leg?: DescriptorLeg): Retriever {
	const facts = { graph, ready: async () => true, catchUp: () => undefined };
	return createRetriever({ store, embedder, pathOf, facts, ...(leg && { descriptors: leg }) });
}

async function legOver(
	paths: readonly string[],
	{ store, pathOf }: Corpus,
	embedder: Embedder,
): Promise<DescriptorLeg> {
	const index = createDescriptorIndex(embedder.dimensions);
	const descriptors: Readonly<Record<string, Descriptor>> = read("descriptions.json");
	for (const { uri, hash } of store.documents().records()) {
		const descriptor = paths.includes(pathOf(uri)) ? descriptors[pathOf(uri)] : undefined;
		if (descriptor) index.add(hash, descriptor, await embedder.embed([textOf(descriptor)]));
	}
	const sight = { version: async () => "", whole: async (uris: readonly string[]) => new Set(uris) };
	return createDescriptorLeg({ store, index: async () => index, sight });
}

/** By question: the rank of the answering document. */
async function ranksOf(questions: readonly Question[], retriever: Retriever): Promise<number[]> {
	const never = new AbortController().signal;
	const ranks: number[] = [];
	for (const { question, path } of questions) {
		const { hits } = await retriever.search({ query: question, limit: 20 }, never);
		const rank = [...new Set(hits.map((hit) => hit.path))].indexOf(path) + 1;
		ranks.push(rank === 0 ? Number.POSITIVE_INFINITY : rank);
	}
	return ranks;
}

/** The questions of the sample; the first of their lines contains the answer. */
function ownWords(): Question[] {
	const questions: readonly { readonly question: string; readonly lines: readonly string[] }[] =
		read("questions.json");
	return questions.map(({ question, lines: [place = ""] }) => ({ question, path: place.replace(/:.*/, "") }));
}

function read(name: string) {
	return JSON.parse(readFileSync(join(root, "test", "sample", name), "utf8"));
}
