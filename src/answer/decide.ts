import type { Question } from "./question/question.ts";
import type { Ranked } from "./rank.ts";

/**
 * How much each sign speaks for an answer. Fitted by logistic regression; docs/eval.md says on which questions, and how it
 * does on folders that it was not fitted on.
 */
const WEIGHTS = { near: 2.11, cosine: 1.59, passage: 3.02, rare: -1.13, gap: 2.09, told: 0.74, size: -0.46 };

/** What all of it must come to. */
const LEAST = 4.5;

/** Most that the weight of the words that are told counts, as a multiple of what chance tells among all passages. */
const MOST_TOLD = 2;

/** Whether the best of the sections answers the question, among so many passages. */
export function decide({ needsKind }: Question, [best, next]: readonly Ranked[], passages: number): boolean {
	if (!best || (needsKind && best.signs.kind === 0)) return false;
	const { near, cosine, passage, rare, told } = best.signs;
	const signs = {
		near,
		cosine,
		passage,
		rare,
		gap: Math.min(1, best.score - (next?.score ?? 0)),
		// By chance, one of so many passages has words of this weight together.
		told: Math.min(MOST_TOLD, told / Math.log(passages + 2)),
		size: Math.log10(passages + 1),
	};
	const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
	return names.reduce((sum, name) => sum + WEIGHTS[name] * signs[name], 0) >= LEAST;
}
