import { stemmer } from "stemmer";
import { wordList } from "../../base/words/wordList.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelIn } from "../../graph/facts/labels.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import { type Group, groupsOf, isJoint } from "./groups.ts";
import type { Left, Noun, Restricted, Restriction, Span, Statement, Take } from "./task.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Words that say nothing by themselves between a noun and a name. */
const BETWEEN = new Set(
	wordList(`
	under near within into as via here both either total altogether overall exist still currently now
	we you us need needs needed go goes went belong belongs offer listed mentioned stehen steht stand
`),
);

/** What asks for less than all that is linked, or for something else: a list would be wrong. */
const UNLISTED = new Set(
	wordList(
		"never neither nor other than more most less least fewer fewest only before after since until between same each per average up sum",
	),
);

/** Before a number these compare. */
const COMPARING = /\b(?:up to|under|over|above|below|within|near|from|until|since|to) \d/;

interface RestrictionPorts {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
}

/** Gathers what restricts the members of a noun, until all words are understood. */
export function createRestriction(
	words: readonly string[],
	noun: Noun,
	{ graph, vocabulary }: RestrictionPorts,
): Restriction {
	const isEmpty = words.map((word) => isFunctionWord(word) || BETWEEN.has(word) || isJoint(word));
	const heeded = words.map(() => false).fill(true, ...noun.span);
	const isStrange = (index: number) => !heeded[index] && !isEmpty[index];
	const takes: Take[] = [];
	const heed = (stems: readonly string[], isExcluded = (_index: number) => false) => {
		for (const [index, word] of words.entries())
			heeded[index] ||= !isExcluded(index) && stems.some((stem) => isAkin(stem, stemmer(word)));
	};
	return {
		heed,
		take: (span: Span, name: string, found: Restricted) => {
			const called = [...found.predicates].map((predicate) => labelIn(graph, predicate));
			takes.push({ span, found, told: `“${name}” (${called.join(", ")})` });
			heeded.fill(true, ...span);
			heed([...found.predicates].flatMap((predicate) => vocabulary.namesOf(predicate).flat().map(stemmer)));
		},
		isNew: () => takes.length === 0,
		isStrange: (span: Span) =>
			!heeded.slice(...span).includes(true) && isEmpty.slice(...span).includes(false),
		strange: () => words.filter((_, index) => isStrange(index)),
		members: () => leftBy(takes, words, noun)?.members,
		result: () => {
			if (words.some((_, index) => isStrange(index))) return undefined;
			return leftBy(takes, words, noun);
		},
	};
}

/** Whether the words ask for another number than that of the members that have something. */
export function isElse(words: readonly string[], { span: [start, end] }: Noun): boolean {
	const others = [...words.slice(0, start), ...words.slice(end)];
	const isCompared = (word: string, index: number) =>
		UNLISTED.has(word) && !(word === "than" && /er$/.test(others[index - 1] ?? ""));
	return others.some(isCompared) || COMPARING.test(others.join(" "));
}

/** The members that all takes leave: those joined by "or" together, and without those after a negation. */
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
