import { stemmer } from "stemmer";
import type { ListedThing, Listing } from "../../core/knowledge/knowledge.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { localNameOf } from "../../graph/facts/iriParts.ts";
import { nameOf } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { nameWords } from "../../graph/facts/nameWords.ts";
import { compareTexts, sourcesOf } from "../../graph/facts/sources.ts";
import { type EntityLink, linkEntities } from "../entities/linkEntities.ts";
import type { PropertyNames } from "../entities/propertyFit.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { membersOf, namedClass } from "./classMembers.ts";
import { listingQuestionIn } from "./listingQuestion.ts";
import { linkedMembers } from "./restrictions.ts";

/** Things that are told of one listing. */
const MOST_ITEMS = 200;

/** Things that are put in order before the first are told. */
const MOST_SORTED = 5000;

/** Words that may go unheeded: a question with more asks for something finer than its class. */
const MOST_IGNORED = 3;

export interface ListingPorts {
	readonly graph: Graph;
	/** In step with the graph. */
	readonly names: NameIndex;
	readonly properties: PropertyNames;
	readonly pathOf: (uri: string) => string;
}

/**
 * What a question counts or lists, complete from the graph: the members of a class, or those that are linked with what
 * the question names. `undefined` where it asks for something else, or for no class that the graph has.
 */
export function listThings(query: string, ports: ListingPorts): Listing | undefined {
	const { graph, names } = ports;
	const question = listingQuestionIn(nameWords(query));
	const found = question && namedClass(question, names);
	if (!question || !found) return undefined;
	const rest = question.words.slice(found.length);
	const { members, told, used } = restrict(membersOf(graph, found.classes), rest, ports);
	const ignored = rest.filter((word) => !isFunctionWord(word) && !used.has(stemmer(word)));
	if (ignored.length > MOST_IGNORED) return undefined;
	const what = `${labelIn(graph, found.classes[0])}${told.join(" and")}${tellIgnored(ignored)}`;
	return { what, total: members.size, ...tell([...members], ports) };
}

/** The members that are linked with all that the words name, in words too, and the stems of the words that this took. */
function restrict(all: ReadonlySet<number>, words: readonly string[], ports: ListingPorts) {
	const { graph, names } = ports;
	const isAsked = askedIn(words, ports);
	let members = all;
	const told: string[] = [];
	const used = new Set<string>();
	for (const links of namedIn(words, names)) {
		const nodes = links.map(({ node }) => node);
		const restricted = linkedMembers(graph, { members, nodes }, isAsked);
		if (!restricted) continue;
		members = members.intersection(restricted.members);
		const properties = [...restricted.predicates].map((predicate) => graph.termAt(predicate).value);
		told.push(describeLink(labelIn(graph, nodes[0]), properties.map(localNameOf), restricted.isFar));
		for (const word of links.flatMap(({ span }) => words.slice(...span))) used.add(stemmer(word));
		for (const stem of properties.flatMap(ports.properties.stemsOf)) used.add(stem);
	}
	return { members, told, used };
}

function describeLink(name: string, properties: readonly string[], isFar: boolean): string {
	const by = properties.length > 0 ? ` (${properties.join(", ")})` : "";
	return ` linked ${isFar ? "in two steps " : ""}with “${name}”${by}`;
}

/** What the words name by its whole name; several things of one name are alternatives. */
function namedIn(words: readonly string[], names: NameIndex): Iterable<EntityLink[]> {
	const whole = linkEntities(words, names).filter(({ isWhole }) => isWhole);
	return Map.groupBy(whole, ({ span }) => span.join()).values();
}

/** Whether the question has a word of the property's name. */
function askedIn(words: readonly string[], { graph, properties }: ListingPorts) {
	const stems = new Set(words.filter((word) => !isFunctionWord(word)).map(stemmer));
	return (predicate: number) =>
		properties.stemsOf(graph.termAt(predicate).value).some((stem) => stems.has(stem));
}

function tellIgnored(words: readonly string[]): string {
	return words.length > 0 ? `; not considered: ${words.map((word) => `“${word}”`).join(", ")}` : "";
}

function tell(
	members: readonly number[],
	{ graph, pathOf }: ListingPorts,
): Pick<Listing, "items" | "truncated"> {
	const things = members.slice(0, MOST_SORTED).map((node) => ({ node, label: labelIn(graph, node) }));
	const first = things.sort((a, b) => compareTexts(a.label, b.label)).slice(0, MOST_ITEMS);
	const items = first.flatMap(({ node, label }): ListedThing[] => {
		const term = graph.termAt(node);
		if (term.termType === "Literal") return [];
		const [source] = sourcesOf(graph, term);
		if (!source) return [];
		const citation = { path: pathOf(source.document), lines: source.lines };
		return [{ label, ...(term.termType === "NamedNode" && { iri: term.value }), citation }];
	});
	return { items, truncated: members.length > items.length };
}

function labelIn(graph: Graph, node = 0): string {
	const term = graph.termAt(node);
	return term.termType === "Literal" ? term.value : nameOf(graph, term);
}
