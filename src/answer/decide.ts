import type { Question } from "./question/question.ts";
import { sum } from "./reading.ts";

/** Features for or against a section as the answer, each 0 to 1; `told` is 0 to 2. */
export type Signs = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** Weights of a softmax over the sections and silence (conditional logit; McFadden, 1974), fitted as docs/eval.md says. */
const WEIGHTS = {
	/** The weighted share of the question's words that the section or its headings have, exactly or nearly. */
	near: 1.26,
	/** The same share for the section's best part. */
	value: 1.38,
	/** The weight of the words found, relative to what chance finds in so many passages. */
	told: 1.66,
	/** The weighted shares of missing words that are rare in any text, and of missing names. */
	rare: -0.67,
	nameless: -1.78,
	/** The share of the question's adjacent words that are adjacent in the section. */
	neighbors: 2,
	cosine: 1.76,
	passage: 4.35,
	/** Whether the section has the expected kind of answer, such as a date; 1 if no kind is expected. */
	kind: 0.13,
	/** Whether the section defines what is asked about, and whether its heading is exactly that term. */
	defines: 1.6,
	headed: 1.42,
	// The next five were set by hand, because too few questions depend on them.
	declares: 1.5,
	/** Whether the section is code or a table, if the question asks why. */
	unreasoned: -1.5,
	/** Whether a number of the question is missing: plot 45 is not plot 44. */
	numberless: -2,
	/** Whether a rare name is missing, and the missing share of the words in `focus`. */
	other: -2,
	unfocused: -2.5,
	/** Whether the section is a list, if the question asks how; and whether it is a record. */
	steps: 0.34,
	record: -1.28,
	/** How much the section says beyond the words of the question and its headings. */
	news: 0.72,
	length: -0.89,
};

/** The score of silence: a constant, and weights for the decimal logarithm of the number of passages and for the number of words. */
const SILENCE = { always: 6.25, passages: 0.63, words: 0.19 };
const MOST_WORDS = 8;

/** Minimum probability that one of the shown sections answers. */
const LEAST = 0.28;
/** Minimum probability of each shown section except the best. */
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

/** The sections that are likely to answer, best first, without duplicates; empty for silence. `passages` counts all passages. */
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
