import { stemmer } from "stemmer";
import { wordList } from "../../base/words/wordList.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelIn } from "../../graph/facts/labels.ts";
import { isAkin } from "../entities/akin.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import type { Noun } from "./members.ts";
import type { Restricted, Statement } from "./restrictions.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Words from the first up to the one before the last number. */
export type Span = readonly [start: number, end: number];

/** Words that say nothing by themselves between a noun and a name. */
const BETWEEN = new Set(
	wordList(`
	under near within into as via here both either total altogether overall exist still currently now
	we you us need needs needed go goes went belong belongs offer listed mentioned stehen steht stand
`),
);

/** After one of these comes what the members must not have. */
const NEGATIONS = new Set(wordList("not no without except excluding"));

/** What asks for less than all that is linked, or for something else: a list would be wrong. */
const UNLISTED = new Set(
	wordList(
		"never neither nor other than more most less least fewer fewest only before after since until between same each per average up sum",
	),
);

/** Before a number these compare. */
const COMPARING = /\b(?:up to|under|over|above|below|within|near|from|until|since|to) \d/;

/** What restricts the members, and the words that say it. */
interface Take {
	readonly span: Span;
	readonly found: Restricted;
	readonly told: string;
}

/** What is left of the members, and why. */
export interface Left {
	readonly members: ReadonlySet<number>;
	/** In words: how they are restricted. */
	readonly told: readonly string[];
	/** By member: the statements that say so. */
	readonly because: ReadonlyMap<number, readonly Statement[]>;
}

export type Restriction = ReturnType<typeof createRestriction>;

interface RestrictionPorts {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
}

/** Gathers what restricts the members of a noun, until all words are understood. */
export function createRestriction(
	words: readonly string[],
	noun: Noun,
	{ graph, vocabulary }: RestrictionPorts,
) {
	const isEmpty = words.map(
		(word) => isFunctionWord(word) || BETWEEN.has(word) || NEGATIONS.has(word) || word === "or",
	);
	const heeded = words.map(() => false).fill(true, ...noun.span);
	const isStrange = (index: number) => !heeded[index] && !isEmpty[index];
	const takes: Take[] = [];
	const heed = (stems: readonly string[], isElsewhere = (_index: number) => false) => {
		for (const [index, word] of words.entries())
			heeded[index] ||= !isElsewhere(index) && stems.some((stem) => isAkin(stem, stemmer(word)));
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
		/** Whether nothing has explained any of these words. */
		isStrange: (span: Span) =>
			!heeded.slice(...span).includes(true) && isEmpty.slice(...span).includes(false),
		strange: () => words.filter((_, index) => isStrange(index)),
		/** Those that are left, whatever else the words say. */
		members: () => leftBy(takes, words, noun)?.members,
		result: (): Left | undefined => {
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
	const groups = groupsOf(
		takes.toSorted((a, b) => a.span[0] - b.span[0]),
		words,
		noun,
	);
	let members = noun.all;
	for (const { isNegated, found } of groups ?? []) {
		if (isNegated && !members) return undefined;
		members = isNegated ? members?.difference(found) : (members?.intersection(found) ?? found);
	}
	if (!groups || !members?.size) return undefined;
	const because = new Map<number, Statement[]>();
	for (const { found } of takes)
		for (const [member, statements] of found.because)
			if (members.has(member)) because.set(member, [...(because.get(member) ?? []), ...statements]);
	const told = groups.map(
		({ isNegated, names }) => `${isNegated ? " not" : ""} linked with ${names.join(" or ")}`,
	);
	return { members, told, because };
}

/** Alternatives: what is linked with one of them, or with none. */
interface Group {
	isNegated: boolean;
	found: ReadonlySet<number>;
	readonly names: string[];
}

/** `undefined` where words that join or negate are not understood. */
function groupsOf(sorted: readonly Take[], words: readonly string[], noun: Noun): Group[] | undefined {
	const groups: Group[] = [];
	let end = noun.span[1] <= (sorted[0]?.span[0] ?? 0) ? noun.span[1] : 0;
	let joining = 0;
	for (const { span, found, told } of sorted) {
		const between = words.slice(end, span[0]).filter((word) => word !== "the" && word !== "either");
		const isNegated = between.some((word) => NEGATIONS.has(word));
		const isOr = groups.length > 0 && between[0] === "or";
		const isAnd = groups.length > 0 && between.join(" ") === "and";
		joining += (isNegated ? 1 : 0) + (isOr ? 1 : 0);
		const last = groups.at(-1);
		// "By A and B": who knows whether both must be.
		if (isAnd && !last?.isNegated && !words.includes("both")) return undefined;
		end = span[1];
		if (last && (isOr || (isAnd && last.isNegated))) {
			last.found = last.found.union(found.members);
			last.names.push(told);
		} else groups.push({ isNegated, found: found.members, names: [told] });
	}
	const outside = words.filter((_, index) => !sorted.some(({ span }) => span[0] <= index && index < span[1]));
	const all = outside.filter((word) => NEGATIONS.has(word) || word === "or").length;
	const [only] = groups;
	// "Which books did she not write?"
	if (only && groups.length === 1 && all === 1 && joining === 0 && !outside.includes("or"))
		only.isNegated = true;
	else if (all !== joining) return undefined;
	return groups;
}
