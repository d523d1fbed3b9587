import { englishStem } from "../../base/language/englishStem.ts";
import { wordList } from "../../base/words/wordList.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";

const TOPICS = wordList(
	"about topic subject theme mention concern keyword categori tag depict discuss describ",
);

export function isOfTopic(name: readonly string[]): boolean {
	return name.some((word) => TOPICS.includes(englishStem(word)));
}

/** Whether `own` has all words of the name, ignoring function words and inflection. */
export function isWhollySaid(name: readonly string[], own: readonly string[]): boolean {
	const telling = name.filter((word) => !isFunctionWord(word));
	return telling.length > 0 && telling.every((word) => isSaidBy([word], own));
}

/** Prefers properties whose whole name the question has: "manages" means `manager`, not `productManager`. */
export function whollySaidAmong(
	predicates: readonly number[],
	words: readonly string[],
	namesOf: (predicate: number) => readonly (readonly string[])[],
): readonly number[] {
	const isWhole = (predicate: number) => namesOf(predicate).some((name) => isWhollySaid(name, words));
	const whole = predicates.filter(isWhole);
	return whole.length > 0 ? whole : predicates;
}

/** Whether `words` have at least one word of the name, ignoring inflection. */
export function isSaidBy(name: readonly string[], words: readonly string[]): boolean {
	const stems = words.filter((word) => !isFunctionWord(word)).map(englishStem);
	return name.map(englishStem).some((own) => stems.some((stem) => isAkin(stem, own)));
}
