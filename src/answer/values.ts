import { type Chain, chainsOf, namedIn, type Step } from "./chains.ts";
import type { Grammar, Question } from "./question/question.ts";
import { glossaryOf, isProse, type Property, type Thing } from "./things.ts";
import { sentencesOf } from "./units.ts";

export interface Value {
	readonly thing: Thing;
	readonly property: Property;
	/** The value, or only the first sentence if the value is prose. */
	readonly text: string;
}

const DEFINING =
	/\b(?:title|role|job|position|occupation|function|description|abstract|comment|about|beruf|rolle|funktion|beschreibung)\b/i;

const MOST_DEFINING = 2;

/** The description of a resource if the question only names it, else the values at the end of the best chain. */
export function valuesOf(question: Question, things: readonly Thing[], grammar: Grammar): Value[] {
	if (question.isWhy) return [];
	const [about] = namedIn(question, things).filter(({ words }) => question.words.isSubsetOf(words));
	if (about) return definitionOf(about);
	const chains = chainsOf(question, things, glossaryOf(things, grammar), grammar.words);
	const [best, ...others] = chains.filter((chain) => isOfKind(chain, question));
	if (!best) return [];
	const like = others.filter((chain) => pathOf(chain) === pathOf(best) && chain.strange === best.strange);
	return [best, ...like].flatMap(({ steps }) => steps.toReversed().map(valueAt));
}

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

/** Whether the value can be the answer: a number does not answer "Who gathered the seeds?" */
function isOfKind({ steps }: Chain, { needsKind, expects }: Question): boolean {
	const { value = "" } = steps.at(-1)?.fit.property ?? {};
	return !needsKind || /\p{L}/u.test(value) || expects?.(value) !== false;
}

function valueAt({ thing, fit: { property } }: Step): Value {
	return { thing, property, text: property.value };
}

function pathOf({ steps }: Chain): string {
	return steps.map(({ fit }) => fit.property.name).join("/");
}
