import { memoize } from "../../base/jobs/lazily.ts";
import { isNaming, namingRank } from "../../base/rdf/naming.ts";
import { lastSegment, localNameOf, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { WORD, wordList } from "../../base/words/wordList.ts";
import { fold } from "../../base/words/wordTable.ts";
import { MOST_LINES, placesAmong } from "../../core/knowledge/citation.ts";
import { namedNode, type Subject } from "../../core/knowledge/rdf.ts";
import { compareSources, type Graph, type GraphQuad, type GraphSource, perVersion } from "./graph.ts";

/** Local names of properties for alternative names of the subject, in any vocabulary. */
const OTHER_NAMES = new Set(wordList("altlabel alternatename hiddenlabel nick nickname alias sku"));

export function isOtherName(predicate: string): boolean {
	return OTHER_NAMES.has(localNameOf(predicate).toLowerCase());
}

/** Name of a resource, independent of the order of the documents; `undefined` if no document names the resource. */
export function labelOf(graph: Graph, subject: Subject): string | undefined {
	return labelledBy(graph, subject)?.label;
}

export function labelledBy(graph: Graph, subject: Subject) {
	const isName = ({ object }: GraphQuad) => object.termType === "Literal" && object.value.trim() !== "";
	const [statement] = [...statementsBy(isNaming, graph, subject)].filter(isName).sort(compareNames);
	return statement && { label: statement.object.value.replace(/\s+/g, " ").trim(), statement };
}

function compareNames(a: GraphQuad, b: GraphQuad): number {
	return rankOf(a) - rankOf(b) || compareTexts(a.object.value, b.object.value) || compareSources(a, b);
}

export function otherNamesOf(graph: Graph, subject: Subject): string[] {
	return [...statementsBy(isOtherName, graph, subject)].map(({ object }) => object.value);
}

/** Finds the wanted properties first, because few of the many statements about a subject name the subject. */
function* statementsBy(isWanted: (predicate: string) => boolean, graph: Graph, subject: Subject) {
	const node = graph.numberOf(subject);
	const properties = new Set<number>();
	if (node !== 0) for (const { predicate } of graph.walk({ subject: node })) properties.add(predicate);
	for (const property of properties) {
		const predicate = graph.termAt(property).value;
		if (isWanted(predicate)) yield* graph.match({ subject, predicate });
	}
}

export function nameOf(graph: Graph, subject: Subject): string {
	const label = labelOf(graph, subject);
	if (label !== undefined) return label;
	return subject.termType === "BlankNode" ? `_:${subject.value}` : lastSegment(subject.value);
}

/** Name of the node with this number, or the text of a literal. */
export const labelIn = perNode((graph, node) => {
	const term = graph.termAt(node);
	return term.termType === "Literal" ? term.value : nameOf(graph, term);
});

/** Caches more nodes than one question needs, until the graph changes. */
function perNode<Value>(read: (graph: Graph, node: number) => Value) {
	const known = perVersion((graph) => memoize((node: number) => read(graph, node), 10_000));
	return (graph: Graph, node = 0): Value => known(graph)(node);
}

function rankOf({ predicate, object }: GraphQuad): number {
	return namingRank(predicate.value, object.termType === "Literal" ? object.language : undefined);
}

export const kindOfNode = perNode(readKind);

function readKind(graph: Graph, node: number): "class" | "property" | "thing" {
	if (graph.has({ predicate: node })) return "property";
	const [type = 0, subClassOf] = [RDF_TYPE, `${RDFS}subClassOf`].map((iri) => graph.numberOf(namedNode(iri)));
	const isClass = [type, subClassOf].some((predicate) => predicate && graph.has({ predicate, object: node }));
	if (isClass) return "class";
	for (const { object } of type === 0 ? [] : graph.walk({ subject: node, predicate: type })) {
		const declared = localNameOf(graph.termAt(object).value);
		if (declared.endsWith("Property")) return "property";
		if (declared === "Class") return "class";
	}
	return "thing";
}

/** The words of a name or question: lower case, no diacritics, split at everything but letters and digits. */
export function nameWords(text: string): string[] {
	return fold(text).toLowerCase().match(WORD) ?? [];
}

/** A key for all spellings of a name: `worksFor`, `works_for` and `Works for` have the key `worksfor`. */
export function nameKey(words: readonly string[]): string {
	return words.join("");
}

export function keyOf(name: string): string {
	return nameKey(nameWords(name));
}

/** Dead links: IRIs without a description in a namespace with described IRIs. Excludes links to pages and files. */
export function findDanglingLinks(graph: Graph) {
	const links = memoize((predicate: number) => isLink(graph.termAt(predicate).value));
	const [described, linked] = [new Set<number>(), new Set<number>()];
	for (const { subject, predicate, object } of graph.walk()) {
		described.add(subject);
		if (links(predicate)) linked.add(object);
	}
	const spaces = new Set(iris(graph, described).map(spaceOf));
	spaces.delete("");
	return iris(graph, linked.difference(described))
		.filter((iri) => spaces.has(spaceOf(iri)) && localNameOf(iri) !== "")
		.flatMap((iri) => linksTo(graph, iri))
		.sort((a, b) => compareSources(a, b) || compareTexts(a.iri, b.iri));
}

function linksTo(graph: Graph, iri: string) {
	return [...graph.match({ object: namedNode(iri) })]
		.filter(({ predicate }) => isLink(predicate.value))
		.map(({ document, lines }) => ({ iri, document, lines }));
}

/** Local names of properties whose values are pages and files, in any vocabulary. */
const PAGE_PROPERTIES = new Set(
	wordList(`
	coderepository contenturl depiction discussionurl downloadurl embedurl homepage image img installurl isdefinedby
	license logo mainentityofpage page photo relatedlink sameas seealso significantlink thumbnail thumbnailurl url
`),
);

function isLink(predicate: string): boolean {
	return predicate !== RDF_TYPE && !PAGE_PROPERTIES.has(localNameOf(predicate).toLowerCase());
}

function iris(graph: Graph, numbers: Iterable<number>): string[] {
	return [...numbers]
		.map((number) => graph.termAt(number))
		.filter(({ termType }) => termType === "NamedNode")
		.map(({ value }) => value);
}

/** The part of an IRI that identifies its owner: up to `#`, or site and first path segment. Empty for files. */
function spaceOf(iri: string): string {
	const [withoutFragment = ""] = iri.split("#", 1);
	if (withoutFragment.length < iri.length) return `${withoutFragment}#`;
	if (iri.startsWith("file:")) return "";
	return /^[a-z][\w+.-]*:\/\/[^/]*\/(?:[^/]+\/)?|^urn:[^:]*:/i.exec(iri)?.[0] ?? "";
}

/** Maximum number of statements to read for locations, more than a user would look at. */
const MOST_STATEMENTS = 10_000;

export function sourcesOf(graph: Graph, subject: Subject): GraphSource[] {
	return placesOf(graph, subject).map(({ document, lines }) => ({ document, lines }));
}

/** The place with the most statements about the subject, limited to the first lines. */
export function fullestSourceOf(graph: Graph, subject: Subject): GraphSource | undefined {
	const [place] = placesOf(graph, subject).toSorted((a, b) => b.count - a.count);
	if (!place) return undefined;
	const { start, end } = place.lines;
	return { document: place.document, lines: { start, end: Math.min(end, start + MOST_LINES - 1) } };
}

function placesOf(graph: Graph, subject: Subject) {
	const statements = graph.match({ subject }).take(MOST_STATEMENTS).toArray().sort(compareSources);
	return [...Map.groupBy(statements, ({ document }) => document)].flatMap(([document, own]) =>
		placesAmong(own.map(({ lines }) => lines)).map((place) => ({ document, ...place })),
	);
}
