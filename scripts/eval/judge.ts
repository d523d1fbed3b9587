import { isFunctionWord } from "../../src/retrieve/entities/questionWords.ts";
import type { Collection } from "./collection.ts";
import type { CollectionRun, Found, LegRuns } from "./legRuns.ts";
import { meanOf, type Quality, qualityOf } from "./measures.ts";
import { SYSTEMS, type System } from "./systems.ts";

/** How good a system is on a collection. */
export interface Judged {
	/** Means over the queries. */
	readonly mean: Quality;
	/** In the order of the queries. */
	readonly ndcgs: readonly number[];
}

export function judge(system: System, { collection, runs, documentOf }: CollectionRun): Judged {
	return judgeRankings(
		collection,
		runs.map((run) => documentsOf(system.rank(run), documentOf)),
	);
}

/** `rankings`: the documents found for each query of the collection, best first. */
export function judgeRankings(
	{ queries, grades }: Collection,
	rankings: readonly (readonly string[])[],
): Judged {
	const qualities = queries.map(({ id }, index) =>
		qualityOf(rankings[index] ?? [], grades.get(id) ?? new Map()),
	);
	const mean = (pick: (quality: Quality) => number) => meanOf(qualities.map(pick));
	return {
		mean: {
			ndcg: mean(({ ndcg }) => ndcg),
			averagePrecision: mean(({ averagePrecision }) => averagePrecision),
			recall: mean(({ recall }) => recall),
		},
		ndcgs: qualities.map(({ ndcg }) => ndcg),
	};
}

/** A document ranks where its best passage does. */
function documentsOf(found: readonly Found[], documentOf: (id: string) => string): string[] {
	return [...new Set(found.map(({ id }) => documentOf(id)))];
}

/** A query that was answered badly, and what can be said of why. */
export interface BadAnswer {
	readonly query: string;
	readonly ndcg: number;
	readonly reason: string;
}

const WORST = 3;

/** The queries that the shipped system answers worst. */
export function worstOf(run: CollectionRun): BadAnswer[] {
	const { collection, runs } = run;
	const { ndcgs } = judge(SYSTEMS.shipped, run);
	const order = ndcgs.map((ndcg, index) => ({ ndcg, index })).sort((a, b) => a.ndcg - b.ndcg);
	return order.slice(0, WORST).flatMap(({ ndcg, index }) => {
		const [query, legs] = [collection.queries[index], runs[index]];
		return query && legs ? [{ query: query.text, ndcg, reason: reasonFor(run, query, legs) }] : [];
	});
}

/** Where the answers stand in every leg, and which words of the query no answer has. */
function reasonFor(
	{ collection, documentOf }: CollectionRun,
	query: { readonly id: string; readonly text: string },
	legs: LegRuns,
): string {
	const grades = collection.grades.get(query.id) ?? new Map<string, number>();
	const rankIn = (found: readonly Found[]) => {
		const rank = documentsOf(found, documentOf).findIndex((id) => grades.has(id)) + 1;
		return rank === 0 ? "not among its best 100" : `at ${rank}`;
	};
	const answers = collection.files.filter(({ id }) => grades.has(id)).map(({ text }) => text.toLowerCase());
	const words = [...new Set(query.text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{3,}/gu))].filter(
		(word) => !isFunctionWord(word),
	);
	const absent = words.filter((word) => !answers.some((text) => text.includes(stemOf(word))));
	const lacking =
		absent.length > 0
			? `no answer has ${absent.slice(0, 6).join(", ")}`
			: "the answers have all its words, and so do others";
	const first = documentsOf(SYSTEMS.shipped.rank(legs), documentOf)[0] ?? "nothing";
	return `${grades.size} known answer${grades.size === 1 ? "" : "s"}; the first is ${rankIn(legs.text)} by words and ${rankIn(legs.vector)} by meaning; ${lacking}; ${first} comes first`;
}

/** The word without an ending, as far as this is the same for most English words. */
function stemOf(word: string): string {
	return word.replace(/(?:ing|ed|es|s|ly)$/, "");
}
