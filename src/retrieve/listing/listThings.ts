import { stemmer } from "stemmer";
import { wordList } from "../../base/words/wordList.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import type { ListedThing, Listing } from "../../core/knowledge/knowledge.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameOf } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { nameWords } from "../../graph/facts/nameWords.ts";
import { compareTexts, fullestSourceOf } from "../../graph/facts/sources.ts";
import { isAkin } from "../entities/akin.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { germanQuestionIn } from "./germanQuestion.ts";
import { type ListingQuestion, listingQuestionIn } from "./listingQuestion.ts";
import { isOfSeveralKinds, type Noun, nounsIn } from "./members.ts";
import { linkedMembers, type Restricted, valuedMembers, valuesWith } from "./restrictions.ts";
import { isPlural, memoized, type Vocabulary, vocabularyOf } from "./vocabulary.ts";
import { withoutArticles } from "./voice.ts";

/** Things that are told of one listing. */
const MOST_ITEMS = 20;

/** Words of a question that may be of one value. */
const LONGEST_VALUE = 6;

/** Things of a class with which the members may be linked. */
const MOST_OF_KIND = 2000;

/** Things that are put in order before the first are told. */
const MOST_SORTED = 5000;

/** What asks for less than all that is linked, or for something else: a list would be wrong. */
const UNLISTED = new Set(
	wordList(`
	not no never without except excluding neither nor or other than more most less least fewer fewest only
	before after since until between same each per average up
`),
);

/** Words that say nothing by themselves between a noun and a name. */
const BETWEEN = new Set(
	wordList("under near within into as via there here both total altogether overall exist"),
);

/** With one of these a word after it may belong to what comes first, or a thing must be linked with each of several. */
const TOGETHER = new Set(wordList("and both all every any several many"));

/** Before a number these compare. */
const COMPARING = /\b(?:up to|under|over|above|below|within|near|from|until|since|to) \d/;

export interface ListingPorts {
	readonly graph: Graph;
	/** In step with the graph. */
	readonly names: NameIndex;
	readonly cite: (uri: string, lines: LineRange) => Citation;
}

/**
 * What a question counts or lists, complete from the graph: the members of a class, the values of a property, or those
 * that are linked with what the question names. `undefined` where it asks for something else, or says more than the graph
 * understands: a number is right or absent.
 */
export function listThings(query: string, ports: ListingPorts): Listing | undefined {
	const { graph, names } = ports;
	const vocabulary = vocabularyOf(graph, names);
	const words = nameWords(query);
	const question = listingQuestionIn(words) ?? germanQuestionIn(words, vocabulary, isNamedIn(words, names));
	if (!question) return undefined;
	for (const noun of nounsIn(question, graph, vocabulary)) {
		const found = restrict(question, noun, { ...ports, vocabulary, isByData: question.isByData });
		if (!found) continue;
		const { members, told } = found;
		const what = `${noun.node === undefined ? question.words.slice(...noun.span).join(" ") : labelIn(graph, noun.node)}${told.join(" and")}`;
		return { what, total: members.size, ...tell([...members], ports) };
	}
	return undefined;
}

interface Ports extends ListingPorts {
	readonly vocabulary: Vocabulary;
	/** As in `ListingQuestion`. */
	readonly isByData?: boolean | undefined;
	/** Whether it is what something else is restricted by: then it is the last step. */
	readonly isOther?: boolean;
}

/** What is looked for, and what is understood of it so far. */
interface Task extends Ports {
	readonly words: readonly string[];
	readonly noun: Noun;
	readonly restriction: Restriction;
}

/** The members that all of the words leave, in words too; `undefined` where a word is not understood. */
function restrict({ words, isCount }: Pick<ListingQuestion, "words" | "isCount">, noun: Noun, ports: Ports) {
	const { graph, vocabulary } = ports;
	if (isElse(words, noun)) return undefined;
	const taskOf = () => ({ ...ports, words, noun, restriction: createRestriction(words, noun, ports) });
	const task = taskOf();
	restrictByNames(task);
	restrictByValues(task);
	if (task.restriction.isNew()) restrictByKind(task);
	const result = task.restriction.result() ?? byKindAlone(taskOf());
	const isWhole = isCount && result?.told.length === 0;
	return isWhole && isOfSeveralKinds(graph, noun.classes, vocabulary) ? undefined : result;
}

/** What is named may restrict the other things of the question, "reviews of X", and not those that are listed. */
function byKindAlone(task: Task) {
	restrictByKind(task);
	return task.restriction.result();
}

function restrictByNames(task: Task): void {
	const { graph, vocabulary, words, names, restriction } = task;
	for (const { span, nodes } of namedIn(words, names)) {
		const found = restriction.isStrange(span) ? linkedMembers(nodes, { ...task, span }) : undefined;
		if (!found) continue;
		restriction.take(span, labelIn(graph, nodes[0]), found);
		restriction.heed(nodes.flatMap((node) => classStems(graph, node, vocabulary)));
	}
}

function restrictByValues(task: Task): void {
	const { words, restriction, vocabulary } = task;
	// All lights are no value that somebody mentions.
	const isKind = (word: string) => isPlural([word]) && vocabulary.classesNamed([word]).length > 0;
	if (restriction.strange().some(isKind)) return;
	const values = valuesWith(restriction.strange(), task);
	for (const span of values.length > 0 ? spansOf(words.length) : []) {
		const found = restriction.isStrange(span) ? valuedMembers(values, { ...task, span }) : undefined;
		if (found) restriction.take(span, words.slice(...span).join(" "), found);
	}
}

/** "Which people write reviews", "which write books about fog": where nothing is named that says which. */
function restrictByKind(task: Task): void {
	const { words, noun, restriction } = task;
	const end = words.length;
	for (let start = noun.span[1]; start < end; start++) {
		const others = otherThings(start, task);
		const span = [start, end] as const;
		const found = others && linkedMembers([...others.members], { ...task, span });
		if (!found) continue;
		restriction.take(span, others.name, found);
		return;
	}
	restrictByHaving(task);
}

/** What the last words of a question mean by themselves: a class in the plural, and what restricts it in its turn. */
function otherThings(start: number, task: Task) {
	const { graph, vocabulary, isOther = false } = task;
	const words = task.words.slice(start);
	if (isOther || task.words.slice(task.noun.span[1]).some((word) => TOGETHER.has(word))) return undefined;
	for (const noun of nounsIn({ words, needsPlural: true, isCount: false }, graph, vocabulary)) {
		const [kind] = noun.classes;
		if (kind === undefined || noun.span[0] > 0) continue;
		const found = restrict({ words, isCount: false }, noun, { ...task, isOther: true });
		if (found && found.members.size <= MOST_OF_KIND)
			return { members: found.members, name: `${labelIn(graph, kind)}${found.told.join(" and")}` };
	}
	return undefined;
}

function restrictByHaving({ graph, vocabulary, words, noun, restriction }: Task): void {
	const [have = "", ...having] = withoutArticles(words.slice(noun.span[1]));
	const isHaving = have === "have" || have === "has" || have === "with";
	const [predicate, ...others] = isHaving ? vocabulary.propertiesNamed(having) : [];
	if (predicate === undefined || others.length > 0) return;
	const subjects = Array.from(graph.walk({ predicate }), ({ subject }) => subject);
	const found = { members: new Set(subjects.filter(noun.has)), predicates: new Set([predicate]) };
	restriction.take([noun.span[1], words.length], "any", found);
}

/** Whether the words ask for another number than that of the members that have something. */
function isElse(words: readonly string[], { span: [start, end] }: Noun): boolean {
	const others = [...words.slice(0, start), ...words.slice(end)];
	const isCompared = (word: string, index: number) =>
		UNLISTED.has(word) && !(word === "than" && /er$/.test(others[index - 1] ?? ""));
	return others.some(isCompared) || COMPARING.test(others.join(" "));
}

type Restriction = ReturnType<typeof createRestriction>;

function createRestriction(words: readonly string[], noun: Noun, { graph, vocabulary }: Ports) {
	const isEmpty = words.map((word) => isFunctionWord(word) || BETWEEN.has(word));
	const heeded = words.map(() => false).fill(true, ...noun.span);
	const isStrange = (index: number) => !heeded[index] && !isEmpty[index];
	const told: string[] = [];
	const spans: Span[] = [];
	let members = noun.all;
	const heed = (stems: readonly string[]) => {
		for (const [index, word] of words.entries())
			heeded[index] ||= stems.some((stem) => isAkin(stem, stemmer(word)));
	};
	return {
		heed,
		take: (span: Span, name: string, found: Restricted) => {
			members = members?.intersection(found.members) ?? new Set(found.members);
			const called = [...found.predicates].map((predicate) => labelIn(graph, predicate));
			told.push(` linked with “${name}” (${called.join(", ")})`);
			heeded.fill(true, ...span);
			spans.push(span);
			heed([...found.predicates].flatMap((predicate) => vocabulary.namesOf(predicate).flat().map(stemmer)));
		},
		isNew: () => told.length === 0,
		/** Whether nothing has explained any of these words. */
		isStrange: (span: Span) =>
			!heeded.slice(...span).includes(true) && isEmpty.slice(...span).includes(false),
		strange: () => words.filter((_, index) => isStrange(index)),
		result: () =>
			words.some((_, index) => isStrange(index)) || !members?.size || areAlternatives(words, spans)
				? undefined
				: { members, told },
	};
}

/** "By A and B": who knows whether both must be. */
function areAlternatives(words: readonly string[], spans: readonly Span[]): boolean {
	const sorted = spans.toSorted(([a], [b]) => a - b);
	return sorted.some(([start], index) => {
		const between = words.slice(sorted[index - 1]?.[1] ?? start, start).join(" ");
		return between === "and" && !words.includes("both");
	});
}

type Span = readonly [start: number, end: number];

/** What the words name by its whole name, the longest first; several things of one name are alternatives. */
function namedIn(words: readonly string[], names: NameIndex) {
	const whole = linkEntities(words, names).filter(({ isWhole }) => isWhole);
	const bySpan = Map.groupBy(whole, ({ span }) => span.join()).values();
	const named = Array.from(bySpan, (links) => ({
		span: links[0]?.span ?? ([0, 0] as const),
		nodes: links.map(({ node }) => node),
	}));
	const lengthOf = ([start, end]: Span) => end - start;
	return named.sort((a, b) => lengthOf(b.span) - lengthOf(a.span) || b.span[0] - a.span[0]);
}

/** Whether a word is of the whole name of something. */
function isNamedIn(words: readonly string[], names: NameIndex): (index: number) => boolean {
	const spans = memoized(() => linkEntities(words, names).filter(({ isWhole }) => isWhole));
	return (index) => spans().some(({ span: [start, end] }) => start <= index && index < end);
}

/** "The Marketing department": the word of its class belongs to the name. */
function classStems(graph: Graph, subject: number, { types }: Vocabulary): string[] {
	const classes = types.flatMap((predicate) =>
		Array.from(graph.walk({ subject, predicate }), ({ object }) => labelIn(graph, object)),
	);
	return classes.flatMap(nameWords).map(stemmer);
}

/** All runs of up to so many words, the longest first. */
function spansOf(words: number): Span[] {
	const lengths = Array.from({ length: Math.min(words, LONGEST_VALUE) }, (_, less) => less + 1).reverse();
	return lengths.flatMap((length) =>
		Array.from({ length: words - length + 1 }, (_, start): Span => [start, start + length]),
	);
}

function tell(
	members: readonly number[],
	{ graph, cite }: ListingPorts,
): Pick<Listing, "items" | "truncated"> {
	const things = members.slice(0, MOST_SORTED).map((node) => ({ node, label: labelIn(graph, node) }));
	const first = things.sort((a, b) => compareTexts(a.label, b.label)).slice(0, MOST_ITEMS);
	const items = first.flatMap(({ node, label }): ListedThing[] => {
		const term = graph.termAt(node);
		const source =
			term.termType === "Literal" ? graph.match({ object: term }).next().value : fullestSourceOf(graph, term);
		if (!source) return [];
		const citation = cite(source.document, source.lines);
		return [{ label, ...(term.termType === "NamedNode" && { iri: term.value }), citation }];
	});
	return { items, truncated: members.length > items.length };
}

function labelIn(graph: Graph, node = 0): string {
	const term = graph.termAt(node);
	return term.termType === "Literal" ? term.value : nameOf(graph, term);
}
