import { englishStem } from "../../base/language/englishStem.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { wordSet } from "../../base/words/wordList.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import { isShort } from "./gauge.ts";
import type { Form, Left, Noun, Ports, Restricted, Span, Statement } from "./task.ts";
import type { Naming, Vocabulary } from "./vocabulary.ts";

/** Words that may stand between a noun and a name without restricting anything. */
const BETWEEN = wordSet(`
	under near within into as via here both either total altogether overall exist still currently now but
	we you us done appear appears ms mr mrs miss dr prof need needs needed go goes went belong belongs offer listed mentioned lasted lie lies stehen steht stand geht gehen ging gingen
`);

/** Words for which a list of the restricted members would be the wrong answer. */
const UNLISTED = wordSet(
	"never neither nor other than more most less least fewer fewest only before after since until between same each per average up sum",
);

const COMPARING =
	/\b(?:up to|under|over|above|below|within|near|about|around|almost|nearly|roughly|from|until|since|to) \d/;

interface Take {
	readonly span: Span;
	readonly found: Restricted;
	readonly told: string;
}

export interface Task
	extends Ports,
		Pick<Form, "words" | "limits" | "order" | "totaled" | "isByData" | "isOpen"> {
	readonly noun: Noun;
	readonly restriction: ReturnType<typeof createRestriction>;
}

/** Collects restrictions on the members of a noun, and the words that these restrictions explain. */
export function createRestriction(words: readonly string[], noun: Noun, { graph, vocabulary }: Naming) {
	const isEmpty = words.map(
		(word, index) =>
			(isFunctionWord(word) || BETWEEN.has(word) || isJoint(word) || isBeing(words, index)) &&
			!isPredicate(words, index),
	);
	const heeded = words.map(() => false).fill(true, ...noun.span);
	// Marks words of the table's name as understood: "drive on the left" for a table of driving sides.
	const table = nameWords(labelIn(graph, noun.table)).map(englishStem);
	for (const [index, word] of words.entries())
		heeded[index] ||= noun.table !== undefined && table.some((stem) => isAkin(stem, englishStem(word)));
	const isStrange = (index: number) => !heeded[index] && !isEmpty[index];
	const takes: Take[] = [];
	const heed = (stems: readonly string[], isExcluded = (_index: number) => false) => {
		for (const [index, word] of words.entries())
			heeded[index] ||=
				!isExcluded(index) && stems.some((stem) => isAkin(stem, englishStem(word)) || isShort(stem, word));
	};
	return {
		/** Marks the words with one of these stems as explained, except at the excluded indexes. */
		heed,
		take: (span: Span, name: string, found: Restricted) => {
			// Omits properties for names: a question need not mention the column in which the name of a row is.
			const named = [...found.predicates].filter((predicate) => !isNaming(graph.termAt(predicate).value));
			const labels = named.map((predicate) => labelIn(graph, predicate));
			const called = labels.filter((label) => !name.endsWith(label));
			const by = called.length > 0 ? ` (${called.join(", ")})` : "";
			takes.push({ span, found, told: `“${name}”${by}` });
			heeded.fill(true, ...span);
			heed(
				[...found.predicates].flatMap((predicate) => vocabulary.namesOf(predicate).flat().map(englishStem)),
			);
		},
		isNew: () => takes.length === 0,
		/** Whether none of these words is explained yet, although at least one needs an explanation. */
		isStrange: (span: Span) =>
			!heeded.slice(...span).includes(true) && isEmpty.slice(...span).includes(false),
		strange: () => words.filter((_, index) => isStrange(index)),
		/** The members that remain, whether or not all words are explained. */
		members: () => leftBy(takes, words, noun)?.members,
		/** `undefined` if a word is unexplained or no member is left. */
		result: () => {
			if (words.some((_, index) => isStrange(index))) return undefined;
			return leftBy(takes, words, noun);
		},
	};
}

const WORKING = /^(?:works?|worked|working|arbeitet|arbeiten|sits?|sitzt|sitzen)$/;

/** Whether a verb means no more than "is": "who works in Finance". */
function isBeing(words: readonly string[], index: number): boolean {
	return WORKING.test(words[index] ?? "") && /^(?:in|at)$/.test(words[index + 1] ?? "");
}

const PREDICATE = /^(?:in|on|out|up|about|done)$/;

/** Whether a last word such as "on" or "done" is the predicate: "which lights are on". */
function isPredicate(words: readonly string[], index: number): boolean {
	const isLast = index === words.length - 1;
	return (
		isLast &&
		PREDICATE.test(words[index] ?? "") &&
		/^(?:is|are|was|were|been|still|now|currently|not)$/.test(words[index - 1] ?? "")
	);
}

export function isElse(
	words: readonly string[],
	{ span: [start, end] }: Noun,
	{ propertyNames }: Pick<Vocabulary, "propertyNames">,
): boolean {
	const isNamed = (word: string, next: string | undefined) =>
		propertyNames().some(([, name]) => name.some((own, index) => own === word && name[index + 1] === next));
	const outside = [...words.slice(0, start), ...words.slice(end)];
	// "Per" may belong to the name of a column: "Price per pupil".
	const others = outside.filter((word, index) => word !== "per" || !isNamed(word, outside[index + 1]));
	const isCompared = (word: string, index: number) =>
		UNLISTED.has(word) && !(word === "than" && /er$/.test(others[index - 1] ?? ""));
	return others.some(isCompared) || COMPARING.test(others.join(" "));
}

/** The members that all restrictions allow. Alternatives ("or") are united, and negated ones removed. */
function leftBy(takes: readonly Take[], words: readonly string[], noun: Noun): Left | undefined {
	const groups = groupsOf(takes, words, noun);
	const members = groups && membersOf(groups, noun);
	if (!groups || !members?.size) return undefined;
	const because = new Map<number, Statement[]>();
	for (const [member, statements] of takes.flatMap(({ found }) => [...found.because]))
		if (members.has(member)) because.set(member, [...(because.get(member) ?? []), ...statements]);
	const told = groups.map(
		({ isNegated, names }) => `${isNegated ? " not" : ""} linked with ${names.join(" or ")}`,
	);
	return { members, told, because };
}

function membersOf(groups: readonly Group[], { all }: Noun): ReadonlySet<number> | undefined {
	const found = groups.filter(({ isNegated }) => !isNegated).map((group) => group.found);
	const positive = [...(all ? [all] : []), ...found];
	const [first, ...others] = positive;
	const both = first && others.reduce((left, next) => left.intersection(next), first);
	return groups
		.filter(({ isNegated }) => isNegated)
		.reduce((left, group) => (all ? left?.difference(group.found) : undefined), both);
}

/** Alternatives: a member must be linked with at least one of `names` or, if `isNegated`, with none. */
interface Group {
	readonly isNegated: boolean;
	readonly found: ReadonlySet<number>;
	readonly names: readonly string[];
}

const NEGATIONS = wordSet("not no without except excluding");

const ASKING = wordSet("which what who how");

function isJoint(word: string): boolean {
	return word === "or" || NEGATIONS.has(word);
}

/** Groups restrictions into alternatives; `undefined` if the meaning of "or" or of a negation is unclear. */
function groupsOf(takes: readonly Take[], words: readonly string[], noun: Noun): Group[] | undefined {
	const sorted = takes.toSorted((a, b) => a.span[0] - b.span[0]);
	const outside = words.filter((_, index) => !sorted.some(({ span }) => span[0] <= index && index < span[1]));
	const joints = outside.filter(isJoint);
	const [only, ...more] = sorted;
	// One negation may be anywhere: "Which books did she not write?"
	if (only && more.length === 0 && joints.length === 1 && joints[0] !== "or") return [alone(only, true)];
	const start = noun.span[1] <= (only?.span[0] ?? 0) ? noun.span[1] : 0;
	return joinAll(sorted, words, { start, joints: joints.length });
}

function joinAll(
	sorted: readonly Take[],
	words: readonly string[],
	{ start, joints }: { readonly start: number; readonly joints: number },
): Group[] | undefined {
	const groups: Group[] = [];
	let understood = 0;
	for (const [index, take] of sorted.entries()) {
		const end = sorted[index - 1]?.span[1] ?? start;
		const joint = jointIn(words.slice(end, take.span[0]), groups.at(-1));
		if (joint.asksAgain || (joint.isAnd && isUnclear(sorted[index - 1], take, words))) return undefined;
		understood += joint.words;
		if (joint.before) groups.splice(-1, 1, joined(joint.before, take));
		else groups.push(alone(take, joint.isNegated));
	}
	return understood === joints ? groups : undefined;
}

/** Whether "and" is unclear: "by A and B" may mean "or", and "not in A and red" may negate only A. */
function isUnclear(before: Take | undefined, take: Take, words: readonly string[]): boolean {
	const isSame = before?.found.predicates.isDisjointFrom(take.found.predicates) === false;
	return words.some((word) => NEGATIONS.has(word)) ? !isSame : isSame && !words.includes("both");
}

function alone({ found, told }: Take, isNegated: boolean): Group {
	return { isNegated, found: found.members, names: [told] };
}

function joined({ isNegated, found, names }: Group, take: Take): Group {
	return { isNegated, found: found.union(take.found.members), names: [...names, take.told] };
}

function jointIn(all: readonly string[], last: Group | undefined) {
	const between = all.filter((word) => word !== "the" && word !== "either");
	const isNegated = between.some((word) => NEGATIONS.has(word));
	const isOr = last !== undefined && between[0] === "or";
	const isAnd = last !== undefined && between.join(" ") === "and";
	const isJoined = isOr || (isAnd && last.isNegated);
	return {
		isNegated,
		isAnd,
		// Whether a second question begins: "Which are insured, and which are sold?"
		asksAgain: between[0] === "and" && between.some((word) => ASKING.has(word)),
		words: Number(isNegated) + Number(isOr),
		before: isJoined ? last : undefined,
	};
}
