import type { Question } from "./question/question.ts";
import { sum } from "./reading.ts";

/** Features for or against a section as the answer, from 0 to 1; `told` is from 0 to 2. */
export type Signs = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** Weights of a softmax over the sections and silence (conditional logit; McFadden, 1974). See docs/eval.md. */
const WEIGHTS = {
	/** The weighted share of the question's words that the section or its headings contain, exactly or nearly. */
	near: 1.26,
	/** Like `near`, for the best part of the section. */
	value: 1.38,
	/** The weight of the found words, relative to the weight that chance finds in so many passages. */
	told: 1.66,
	/** The weighted share of missing words that are rare in any text. */
	rare: -0.67,
	/** The weighted share of missing names. */
	nameless: -1.78,
	/** The share of the question's pairs of adjacent words that the section contains. */
	neighbors: 2,
	cosine: 1.76,
	passage: 4.35,
	/** Whether the section has the expected kind of answer, such as a date; 1 if no kind is expected. */
	kind: 0.13,
	defines: 1.6,
	headed: 1.42,
	// The weights from `declares` to `unfocused` were set by hand, because too few questions depend on them.
	declares: 1.5,
	describes: 3,
	/** Whether the section is code or a table and the question asks for a reason. */
	unreasoned: -1.5,
	/** Whether the section lacks a number of the question: plot 45 is not plot 44. */
	numberless: -2,
	other: -2,
	/** The share of the words in `focus` that are missing. */
	unfocused: -2.5,
	/** Whether the section is a list and the question asks how something is done. */
	steps: 0.34,
	record: -1.28,
	/** Share of new words: 0 if all words are in the question or the headings. */
	news: 0.72,
	length: -0.89,
};

/** The score of silence: a constant, plus weights for log10 of the number of passages and for the number of words. */
const SILENCE = { always: 6.25, passages: 0.63, words: 0.19 };
const MOST_WORDS = 8;

const LEAST_PROBABILITY = 0.28;
const LEAST_PROBABILITY_OF_FURTHER = 0.08;
const MOST_SHOWN = 3;

interface Scored {
	readonly score: number;
	readonly section: { readonly text: string };
}

export function worthOf(signs: Signs): number {
	const names = Object.keys(WEIGHTS) as (keyof Signs)[];
	return names.reduce((worth, name) => worth + WEIGHTS[name] * signs[name], 0);
}

/** The sections that probably answer, best first and without duplicates; empty if silence is more probable. */
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
		.filter(({ likely }, index) => index === 0 || likely >= LEAST_PROBABILITY_OF_FURTHER);
	if (sum(shown, ({ likely }) => likely) < LEAST_PROBABILITY) return [];
	return shown.flatMap(({ first }) => first ?? []);
}
