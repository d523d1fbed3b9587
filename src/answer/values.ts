import type { Question } from "./question/question.ts";
import { isProse, isVocabulary, type Property, type Thing } from "./things.ts";
import { sentencesOf } from "./units.ts";

export interface Value {
	readonly thing: Thing;
	readonly property: Property;
	/** The value, or the first sentence of prose. */
	readonly text: string;
}

/** Properties that say what somebody or something is, the most telling first. */
const DEFINING =
	/\b(?:title|role|job|position|occupation|function|description|abstract|comment|about|beruf|rolle|funktion|beschreibung)\b/i;

const MOST_DEFINING = 2;

/** What the thing is that is all of the question. */
export function valuesOf(question: Question, things: readonly Thing[]): Value[] {
	if (question.isWhy) return [];
	const [about] = namedIn(question, things).filter(({ words }) => question.words.isSubsetOf(words));
	return about ? definitionOf(about) : [];
}

/** The things that a question names by their whole names. */
function namedIn({ words: asked, beside }: Question, things: readonly Thing[]): Thing[] {
	const all = asked.union(beside);
	const named = things.filter(
		(thing) => !isVocabulary(thing) && thing.words.size > 0 && thing.words.isSubsetOf(all),
	);
	return named.filter(
		({ words }) => !named.some((other) => words.size < other.words.size && words.isSubsetOf(other.words)),
	);
}

/** What a resource is: its role and its description, without its own name. */
function definitionOf(thing: Thing): Value[] {
	const told = thing.properties
		.filter(({ words }) => !words.isSubsetOf(thing.words))
		.filter(({ value }) => value !== thing.label);
	const defining = told.filter(({ name, value }) => DEFINING.test(name) || isProse(value));
	return defining.slice(0, MOST_DEFINING).map((property) => ({
		thing,
		property,
		text: isProse(property.value) ? firstSentence(property.value) : property.value,
	}));
}

function firstSentence(text: string): string {
	const [first] = sentencesOf(text);
	return first ? text.slice(first.from, first.to) : text;
}
