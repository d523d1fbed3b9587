import type { Collection } from "./collection.ts";
import type { CollectionRun, Found } from "./legRuns.ts";
import { meanOf, type Quality, qualityOf } from "./measures.ts";
import type { System } from "./systems.ts";

/** Quality of a system on a collection. */
export interface Judged {
	/** Means over the queries. */
	readonly mean: Quality;
	/** nDCG@10 by query, in the order of the queries. */
	readonly ndcgs: readonly number[];
}

export function judge(system: System, { collection, runs, documentOf }: CollectionRun): Judged {
	return judgeRankings(
		collection,
		runs.map((run) => documentsOf(system.rank(run), documentOf)),
	);
}

/** Judges `rankings`, the documents found for each query, best first. */
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

/** Ranks documents by their best passages. */
function documentsOf(found: readonly Found[], documentOf: (id: string) => string): string[] {
	return [...new Set(found.map(({ id }) => documentOf(id)))];
}
