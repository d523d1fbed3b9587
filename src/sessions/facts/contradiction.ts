import { wordsOf } from "../../base/words/relevance.ts";

/** Share of their words that two sentences must have in common to be about the same. */
const ABOUT_THE_SAME = 0.5;

const NEGATIONS = /\b(?:not|never|no|none|nobody|nothing|without|avoid|cannot|neither|nor)\b|n['’]t\b/giu;

/** Of each pair, a sentence that has one contradicts the same sentence with the other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
	["on", "off"],
	["true", "false"],
	["yes", "no"],
	["always", "never"],
	["enabled", "disabled"],
	["enable", "disable"],
	["allowed", "forbidden"],
	["allow", "deny"],
	["before", "after"],
	["first", "last"],
	["more", "less"],
	["with", "without"],
	["old", "new"],
	["open", "closed"],
	["public", "private"],
	["required", "optional"],
	["tabs", "spaces"],
	["light", "dark"],
	["prefer", "avoid"],
	["likes", "dislikes"],
];

/** Verbs with which one subject usually has one object. */
const SINGLE_VALUED =
	/^(.+?)\s+(?:is|are|was|were|equals|prefers?|means|lives in|works at|is called|is named)\s+(.+)$/iu;

/**
 * Whether two sentences seem to say different things of the same: they share half of their words, and differ in a
 * number, in a negation, in a pair of opposites, or in what one subject is. It is a hint for a person: it misses
 * what is said in other words, and may point at two things that can both be true.
 */
export function seemToDisagree(a: string, b: string): boolean {
	if (haveOtherObjects(a, b)) return true;
	if (!areAboutTheSame(a, b)) return false;
	return haveOtherNumbers(a, b) || isNegated(a) !== isNegated(b) || haveOpposites(a, b);
}

/** Numbers, negations and opposites are not what a sentence is about. */
function areAboutTheSame(a: string, b: string): boolean {
	const [left, right] = [subjectWords(a), subjectWords(b)];
	const shared = [...left].filter((word) => right.has(word)).length;
	return shared > 0 && shared / Math.min(left.size, right.size) >= ABOUT_THE_SAME;
}

function subjectWords(text: string): Set<string> {
	const opposites = new Set(OPPOSITES.flat());
	const rest = text.replace(NEGATIONS, " ").match(/[\p{L}\p{N}]+/gu) ?? [];
	const telling = rest.filter((word) => !opposites.has(word.toLowerCase()) && !/\d/.test(word));
	return new Set(wordsOf(telling.join(" ")));
}

function haveOtherNumbers(a: string, b: string): boolean {
	const [left, right] = [numbersIn(a), numbersIn(b)];
	return left.length > 0 && right.length > 0 && left.join(" ") !== right.join(" ");
}

function numbersIn(text: string): string[] {
	return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).sort();
}

function isNegated(text: string): boolean {
	return (text.match(NEGATIONS)?.length ?? 0) % 2 === 1;
}

function haveOpposites(a: string, b: string): boolean {
	const [left, right] = [plainWords(a), plainWords(b)];
	const differ = (one: string, other: string) =>
		left.has(one) && right.has(other) && !(left.has(other) && right.has(one));
	return OPPOSITES.some(([one, other]) => differ(one, other) || differ(other, one));
}

function haveOtherObjects(a: string, b: string): boolean {
	const [left, right] = [SINGLE_VALUED.exec(a.trim()), SINGLE_VALUED.exec(b.trim())];
	if (!left || !right || keyOf(left[1]) !== keyOf(right[1])) return false;
	const [one, other] = [keyOf(left[2]), keyOf(right[2])];
	// What says the same more exactly does not contradict.
	return !one.includes(other) && !other.includes(one);
}

function keyOf(text = ""): string {
	return [...wordsOf(text)].join(" ");
}

function plainWords(text: string): Set<string> {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
