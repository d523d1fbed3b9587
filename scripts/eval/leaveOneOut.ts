import type { Judged } from "./judge.ts";
import { meanOf } from "./measures.ts";

/** A collection with the scores of every choice, and of the system before. */
interface Fold {
	readonly name: string;
	/** The choices, in the same order in all folds. */
	readonly choices: readonly { readonly name: string; readonly judged: Judged }[];
	readonly before: Judged;
}

/** The choice that the other collections make for a held-out one, with its effect. */
interface Held {
	readonly name: string;
	readonly choice: string;
	readonly ndcg: number;
	readonly gain: number;
}

/** For each collection: the choice with the most significant gain on all others. */
export function leaveOneOut(folds: readonly Fold[]): Held[] {
	return folds.map((held) => {
		const others = folds.filter((fold) => fold !== held);
		const sureness = held.choices.map((_, index) => surenessOf(others, index));
		const chosen = held.choices[sureness.indexOf(Math.max(...sureness))];
		const ndcg = (chosen?.judged ?? held.before).mean.ndcg;
		return { name: held.name, choice: chosen?.name ?? "none", ndcg, gain: ndcg - held.before.mean.ndcg };
	});
}

/** Mean gain divided by its standard error, as in a paired t-test with one stratum per collection. */
function surenessOf(folds: readonly Fold[], index: number): number {
	const gains = folds.map(({ choices, before }) =>
		(choices[index]?.judged.ndcgs ?? []).map((ndcg, query) => ndcg - (before.ndcgs[query] ?? 0)),
	);
	const variance = gains.reduce((sum, ofQueries) => sum + varianceOf(ofQueries) / ofQueries.length, 0);
	const error = Math.sqrt(variance) / gains.length;
	return error > 0 ? meanOf(gains.map(meanOf)) / error : 0;
}

function varianceOf(values: readonly number[]): number {
	const mean = meanOf(values);
	return meanOf(values.map((value) => (value - mean) ** 2));
}
