import type { Question } from "./question/question.ts";
import { sum } from "./reading.ts";
import type { Signs } from "./signs.ts";

/** Weights of a softmax over the sections and silence (conditional logit; McFadden, 1974), fitted as docs/eval.md says. */
const WEIGHTS: Readonly<Record<keyof Signs, number>> = {
	near: 1.26,
	value: 1.38,
	told: 1.66,
	rare: -0.67,
	nameless: -1.78,
	neighbors: 2,
	cosine: 1.76,
	passage: 4.35,
	kind: 0.13,
	defines: 1.6,
	headed: 1.42,
	// Chosen, not fitted: too few of the questions ask for these.
	declares: 1.5,
	unreasoned: -1.5,
	numberless: -2,
	other: -2,
	unfocused: -2.5,
	steps: 0.34,
	record: -1.28,
	news: 0.72,
	length: -0.89,
};

/** What speaks for silence: always, the number of passages (its decimal logarithm), and that of the question's words. */
const SILENCE = { always: 6.25, passages: 0.63, words: 0.19 };
const MOST_WORDS = 8;

/** How likely it must be that one of the shown sections answers. */
const LEAST = 0.28;
/** How likely each of them but the best must be. */
const LEAST_EACH = 0.08;
const MOST_SHOWN = 3;

interface Scored {
	readonly score: number;
	readonly section: { readonly text: string };
}

export function worthOf(signs: Signs): number {
	const names = Object.keys(WEIGHTS) as (keyof Signs)[];
	return names.reduce((worth, name) => worth + WEIGHTS[name] * signs[name], 0);
}

/**
 * The sections that are likely to answer the question, best first, without duplicates; empty for silence. `passages` is
 * the number of all passages.
 */
export function choose<Section extends Scored>(
	{ words }: Question,
	ranked: readonly Section[],
	passages: number,
): readonly Section[] {
	const silence =
		SILENCE.always +
		SILENCE.passages * Math.log10(passages + 1) +
		SILENCE.words * Math.min(MOST_WORDS, words.size);
	const worthOfAll = (sections: readonly Section[]) => sum(sections, ({ score }) => Math.exp(score));
	const all = Math.exp(silence) + worthOfAll(ranked);
	const shown = [...Map.groupBy(ranked, ({ section }) => section.text).values()]
		.map((equal) => ({ first: equal[0], likely: worthOfAll(equal) / all }))
		.slice(0, MOST_SHOWN)
		.filter(({ likely }, index) => index === 0 || likely >= LEAST_EACH);
	if (sum(shown, ({ likely }) => likely) < LEAST) return [];
	return shown.flatMap(({ first }) => first ?? []);
}
