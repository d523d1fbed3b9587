import { stemmer } from "stemmer";
import { localNameOf } from "../../base/rdf/iriParts.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import type { ListedThing, Listing } from "../../core/knowledge/knowledge.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameOf } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { nameWords } from "../../graph/facts/nameWords.ts";
import { compareTexts, sourcesOf } from "../../graph/facts/sources.ts";
import { isAkin } from "../entities/akin.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import type { PropertyNames } from "../entities/propertyFit.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { askingOf } from "./asking.ts";
import { isOfSeveralKinds, membersOf, namedClass } from "./classMembers.ts";
import { listingQuestionIn } from "./listingQuestion.ts";
import { linkedMembers, type Restricted, valuedMembers } from "./restrictions.ts";

/** Things that are told of one listing. */
const MOST_ITEMS = 20;

/** Words of a question that may be of one value. */
const LONGEST_VALUE = 6;

/** Things that are put in order before the first are told. */
const MOST_SORTED = 5000;

/** What asks for less than all that is linked, or for something else: a list would be wrong. */
const UNLISTED = new Set(
	wordList(`
	not no never without except excluding neither nor or other than more most less least fewer fewest only
	before after since until between both same each per average
`),
);

export interface ListingPorts {
	readonly graph: Graph;
	/** In step with the graph. */
	readonly names: NameIndex;
	readonly properties: PropertyNames;
	readonly cite: (uri: string, lines: LineRange) => Citation;
}

/**
 * What a question counts or lists, complete from the graph: the members of a class, or those that are linked with what
 * the question names. `undefined` where it asks for something else, for no class that the graph has, or says more than
 * the graph understands: a number is right or absent.
 */
export function listThings(query: string, ports: ListingPorts): Listing | undefined {
	const { graph, names } = ports;
	const question = listingQuestionIn(nameWords(query));
	const found = question && namedClass(question, names);
	if (!question || !found) return undefined;
	const rest = question.words.slice(found.length);
	if (rest.some((word) => UNLISTED.has(word))) return undefined;
	const restricted = restrict(membersOf(graph, found.classes), rest, ports);
	if (!restricted) return undefined;
	const { members, told } = restricted;
	if (question.isCount && told.length === 0 && isOfSeveralKinds(graph, found.classes)) return undefined;
	const what = `${labelIn(graph, found.classes[0])}${told.join(" and")}`;
	return { what, total: members.size, ...tell([...members], ports) };
}

/** The members that all of the words leave, in words too; `undefined` where a word is not understood. */
function restrict(all: ReadonlySet<number>, words: readonly string[], ports: ListingPorts) {
	const { graph, names } = ports;
	const restriction = createRestriction(all, words, ports);
	for (const { span, nodes } of namedIn(words, names)) {
		const found = linkedMembers(graph, { members: all, nodes }, askingOf(words, span, ports));
		if (!found) continue;
		restriction.take(span, labelIn(graph, nodes[0]), found);
		restriction.heed(nodes.flatMap((node) => classStems(graph, node)));
	}
	for (const span of spansOf(words.length)) {
		if (!restriction.isStrange(span)) continue;
		const value = words.slice(...span);
		const found = valuedMembers(graph, { members: all, words: value }, askingOf(words, span, ports));
		if (found) restriction.take(span, value.join(" "), found);
	}
	return restriction.result();
}

function createRestriction(
	all: ReadonlySet<number>,
	words: readonly string[],
	{ graph, properties }: ListingPorts,
) {
	const heeded = words.map(isFunctionWord);
	const told: string[] = [];
	let members = all;
	const heed = (stems: readonly string[]) => {
		for (const [index, word] of words.entries())
			heeded[index] ||= stems.some((stem) => isAkin(stem, stemmer(word)));
	};
	return {
		heed,
		take: (span: Span, name: string, found: Restricted) => {
			members = members.intersection(found.members);
			const iris = [...found.predicates].map((predicate) => graph.termAt(predicate).value);
			told.push(` linked with “${name}” (${iris.map(localNameOf).join(", ")})`);
			heeded.fill(true, ...span);
			heed(iris.flatMap(properties.stemsOf));
		},
		/** Whether nothing has explained any of these words. */
		isStrange: (span: Span) => !heeded.slice(...span).includes(true),
		result: () => (heeded.includes(false) ? undefined : { members, told }),
	};
}

type Span = readonly [start: number, end: number];

/** What the words name by its whole name; several things of one name are alternatives. */
function namedIn(words: readonly string[], names: NameIndex) {
	const whole = linkEntities(words, names).filter(({ isWhole }) => isWhole);
	const bySpan = Map.groupBy(whole, ({ span }) => span.join()).values();
	return Array.from(bySpan, (links) => ({
		span: links[0]?.span ?? ([0, 0] as const),
		nodes: links.map(({ node }) => node),
	}));
}

/** "The Marketing department": the word of its class belongs to the name. */
function classStems(graph: Graph, node: number): string[] {
	const predicate = graph.numberOf({ termType: "NamedNode", value: RDF_TYPE });
	const classes = Array.from(graph.walk({ subject: node, predicate }), ({ object }) =>
		labelIn(graph, object),
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
		if (term.termType === "Literal") return [];
		const [source] = sourcesOf(graph, term);
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
