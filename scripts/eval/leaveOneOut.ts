import type { Judged } from "./judge.ts";
import { meanOf } from "./measures.ts";

/** A collection with what it measured of every choice, and of the system that the choices are to improve. */
interface Fold {
	readonly name: string;
	/** In the same order in all folds. */
	readonly choices: readonly { readonly name: string; readonly judged: Judged }[];
	readonly before: Judged;
}

/** What the other collections would have chosen for one, and what came of it there. */
interface Held {
	readonly name: string;
	readonly choice: string;
	readonly ndcg: number;
	readonly gain: number;
}

/** For each collection the choice whose gain is surest on all others. */
export function leaveOneOut(folds: readonly Fold[]): Held[] {
	return folds.map((held) => {
		const others = folds.filter((fold) => fold !== held);
		const sureness = held.choices.map((_, index) => surenessOf(others, index));
		const chosen = held.choices[sureness.indexOf(Math.max(...sureness))];
		const ndcg = (chosen?.judged ?? held.before).mean.ndcg;
		return { name: held.name, choice: chosen?.name ?? "none", ndcg, gain: ndcg - held.before.mean.ndcg };
	});
}

/** The mean gain of the collections in its standard errors, as in a paired t-test with one stratum for each collection. */
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
