import type { Nearness } from "./nearness.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import type { ReadSection } from "./sections.ts";

export interface Telling {
	/** How rare each is, in the folder and in any text. */
	readonly weights: ReadonlyMap<string, number>;
	isRare(stem: string): boolean;
	/** Number of passages that can be seen. */
	readonly passages: number;
	readonly nearness: Nearness;
	readonly vector: Float32Array;
	readonly language: Words;
}

interface Weighed {
	readonly stem: string;
	readonly weight: number;
}

/** The same, with how much of it a text has, 0 to 1. */
export interface Covered extends Weighed {
	readonly near: number;
}

/** The weight of a word that only the headings have, in the section and in a part of it. */
const CONTEXT = 0.9;
const CONTEXT_OF_PART = 0.5;
/** The weight of a word that only the rest of the section has, in a part of it. */
const AROUND = 0.6;

/** What a word counts of another question that was asked with this one. */
const BESIDE = 0.3;

function weighed({ words, beside }: Question, { weights }: Telling): Weighed[] {
	const weightOf = (stem: string) => weights.get(stem) ?? 0;
	return [
		...Array.from(words, (stem) => ({ stem, weight: weightOf(stem) })),
		...Array.from(beside, (stem) => ({ stem, weight: BESIDE * weightOf(stem) })),
	];
}

/** The words of a question, as a section and its headings have them. */
export function coverBy({ words, context }: ReadSection, question: Question, telling: Telling): Covered[] {
	const { nearness } = telling;
	return weighed(question, telling).map(({ stem, weight }) => {
		const has = Math.max(words.has(stem) ? 1 : 0, context.has(stem) ? CONTEXT : 0);
		const near = has || Math.max(nearness.of(stem, words), nearness.of(stem, context) * CONTEXT);
		return { stem, weight, near };
	});
}

interface PartWords extends ReadSection {
	readonly part: ReadonlySet<string>;
}

/** How much of a question a part of a section has, by weight, 0 to 1. */
export function coverOf(question: Question, { part, words, context }: PartWords, telling: Telling): number {
	const nearIn = (stem: string) => {
		if (part.has(stem)) return 1;
		const around = Math.max(context.has(stem) ? CONTEXT_OF_PART : 0, words.has(stem) ? AROUND : 0);
		return Math.max(around, telling.nearness.of(stem, part));
	};
	const all = weighed(question, telling);
	return shareOf(all, ({ stem }) => nearIn(stem));
}

/** What part of the words, by weight, something is true of. */
export function shareOf<Word extends Weighed>(words: readonly Word[], of: (word: Word) => number): number {
	return sum(words, (word) => word.weight * of(word)) / (sum(words, ({ weight }) => weight) || 1);
}

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
