import { memoize } from "../../base/jobs/lazily.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { RDF_TYPE, SCHEMA } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import type {
	FoundThing,
	NamedThing,
	Neighbourhood,
	NeighbourQuery,
	Place,
	ThingKind,
	ThingView,
} from "../../core/knowledge/graph.ts";
import { idOf, isSubject, type Subject, subjectOf, type Term } from "../../core/knowledge/rdf.ts";
import type { Graph, GraphQuad, Pattern } from "../facts/graph.ts";
import { kindOfNode, nameOf, sourcesOf } from "../facts/labels.ts";
import { aliasesOf } from "../facts/sameThings.ts";

/** Maximum number of values shown per property. */
const VALUES = 3;
const PROPERTIES = 8;
const VALUE_LENGTH = 160;
const LABEL_LENGTH = 200;

/** Number of members of a class that are sampled for the class's usual properties. */
const MEMBERS = 200;
const MOST_POINTERS = 10_000;
const MOST_STATEMENTS = 10_000;

/** The documents' statements about a resource; `null` if no document mentions the resource. */
export function viewThing(graph: Graph, iri: string): ThingView | null {
	const id = described(graph, iri);
	const subject = subjectOf(id);
	const statements = graph.match({ subject }).take(MOST_STATEMENTS).toArray();
	const pointers = countPointers(graph, iri);
	if (statements.length === 0 && pointers === 0) return null;
	const kind = kindOf(graph, subject);
	return {
		...named(graph, subject),
		kind,
		types: typesIn(graph, statements),
		properties: propertiesIn(graph, statements),
		places: sourcesOf(graph, subject).map(({ document, lines }) => ({ uri: document, lines })),
		pointers,
		aliases: aliasesOf(graph, id),
		usual: kind === "class" ? usualProperties(graph, subject) : [],
	};
}

/** The main resource of a file, if the file names a main resource; otherwise the IRI itself. */
function described(graph: Graph, iri: string): string {
	if (!iri.startsWith("file:") || graph.count({ subject: subjectOf(iri) }) > 0) return iri;
	const [own] = graph.match({ predicate: `${SCHEMA}url`, object: subjectOf(iri), document: iri });
	return own ? idOf(own.subject) : iri;
}

function idsOf(graph: Graph, iri: string): Subject[] {
	return [...new Set([iri, described(graph, iri)])].map(subjectOf);
}

/** Places of statements with the resource as value or property, up to `MOST_POINTERS`. */
export function pointersTo(graph: Graph, iri: string): Place[] {
	return idsOf(graph, iri)
		.values()
		.flatMap((subject) => [{ object: subject }, { predicate: subject.value }])
		.flatMap((pattern) => graph.match(pattern))
		.map(({ document, lines }) => ({ uri: document, lines }))
		.take(MOST_POINTERS)
		.toArray();
}

export function countPointers(graph: Graph, iri: string): number {
	const countOf = (subject: Subject) =>
		graph.count({ object: subject }) + graph.count({ predicate: subject.value });
	return idsOf(graph, iri).reduce((sum, subject) => sum + countOf(subject), 0);
}

export function foundThing(graph: Graph, subject: Subject): FoundThing {
	const [first] = sourcesOf(graph, subject);
	const types = typesIn(graph, [...graph.match({ subject, predicate: RDF_TYPE })]).map(({ label }) => label);
	const place = first && { uri: first.document, lines: first.lines };
	return { ...named(graph, subject), kind: kindOf(graph, subject), types, ...(place && { place }) };
}

export function membersOf(graph: Graph, type: string, limit: number): FoundThing[] {
	const members = graph.match({ predicate: RDF_TYPE, object: subjectOf(type) }).map(({ subject }) => subject);
	const things = new Map(members.map((subject) => [idOf(subject), subject])).values().take(MOST_STATEMENTS);
	return [...things]
		.map((subject) => ({ subject, label: nameOf(graph, subject) }))
		.sort((a, b) => compareTexts(a.label, b.label))
		.slice(0, limit)
		.map(({ subject }) => foundThing(graph, subject));
}

function kindOf(graph: Graph, subject: Subject): ThingKind {
	const node = graph.numberOf(subject);
	return node === 0 ? "thing" : kindOfNode(graph, node);
}

export function named(graph: Graph, subject: Subject): NamedThing {
	return { id: idOf(subject), label: shownText(nameOf(graph, subject), LABEL_LENGTH) };
}

/** Shortens the text and makes every character visible: long names and reversed text would hide neighboring text. */
function shownText(text: string, most: number): string {
	return visibleLines(text.length > most ? `${text.slice(0, most)}…` : text);
}

function typesIn(graph: Graph, statements: readonly GraphQuad[]): NamedThing[] {
	const types = new Map<string, NamedThing>();
	for (const { predicate, object } of statements)
		if (predicate.value === RDF_TYPE && object.termType !== "Literal")
			types.set(object.value, named(graph, object));
	return [...types.values()];
}

/** Omits naming properties, because the view already shows the label. */
function propertiesIn(graph: Graph, statements: readonly GraphQuad[]): ThingView["properties"] {
	const told = statements.filter(({ predicate: { value } }) => value !== RDF_TYPE && !isNaming(value));
	const groups = Map.groupBy(told, ({ predicate }) => predicate.value);
	return [...groups.values()].slice(0, PROPERTIES).flatMap((quads) => {
		const values = new Map(quads.map(({ object }) => [`${object.termType} ${object.value}`, object]));
		const shown = [...values.values()].slice(0, VALUES).map((object) => textOf(graph, object));
		const [first] = quads;
		if (!first) return [];
		const { subject, predicate } = first;
		const isAll = statements.length < MOST_STATEMENTS;
		const total = isAll ? values.size : graph.count({ subject, predicate: predicate.value });
		return [{ ...named(graph, predicate), values: shown, total }];
	});
}

function textOf(graph: Graph, term: Term): string {
	const text = term.termType === "Literal" ? term.value : nameOf(graph, term);
	const beginning = text.slice(0, 2 * VALUE_LENGTH).replace(/\s+/g, " ");
	return shownText(beginning.trim(), VALUE_LENGTH);
}

/** Properties of a sample of the class's members, most common first. */
function usualProperties(graph: Graph, type: Subject): NamedThing[] {
	const counts = new Map<number, number>();
	const [typeNode, classNode] = [subjectOf(RDF_TYPE), type].map((term) => graph.numberOf(term));
	if (!typeNode || !classNode) return [];
	for (const { subject } of graph.walk({ predicate: typeNode, object: classNode }).take(MEMBERS)) {
		const own = new Set([...graph.walk({ subject })].map(({ predicate }) => predicate));
		own.delete(typeNode);
		for (const predicate of own) counts.set(predicate, (counts.get(predicate) ?? 0) + 1);
	}
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.map(([predicate]) => named(graph, subjectOf(graph.termAt(predicate).value)));
}

/** Maximum number of links read per resource. A hub has more neighbors than a picture can show. */
const MOST_LINKS = 5000;

/** Maximum number of resources visited in the search for a path. */
const MOST_VISITED = 200_000;

/** Resources with their neighbors, and every link between shown resources. */
export function neighboursOf(graph: Graph, { iris, shown = [], limit = 300 }: NeighbourQuery): Neighbourhood {
	const numbersOf = (ids: readonly string[]) =>
		ids.map((iri) => graph.numberOf(subjectOf(iri))).filter((node) => node !== 0);
	const middle = numbersOf(iris);
	const fresh = new Set(middle);
	const nodes = new Set([...numbersOf(shown), ...middle]);
	const left = new Set<number>();
	const room = nodes.size + limit;
	for (const node of middle)
		for (const neighbour of nodesBeside(graph, node)) {
			if (nodes.has(neighbour)) continue;
			if (nodes.size >= room) left.add(neighbour);
			else {
				nodes.add(neighbour);
				fresh.add(neighbour);
			}
		}
	return pictureOf(graph, { fresh, nodes }, left.size);
}

/** The resources with the most links. */
export function overviewOf(graph: Graph, limit: number): Neighbourhood {
	const type = graph.numberOf(subjectOf(RDF_TYPE));
	const counts = new Map<number, number>();
	const count = (node: number, by: number) => counts.set(node, (counts.get(node) ?? 0) + by);
	for (const { subject, predicate, object } of graph.walk()) {
		const isLink = predicate !== type && isThing(graph, object);
		count(subject, isLink ? 1 : 0);
		if (isLink) count(object, 1);
	}
	const ranked = [...counts].sort((a, b) => b[1] - a[1]).map(([node]) => node);
	const fresh = new Set(ranked.slice(0, limit));
	return pictureOf(graph, { fresh, nodes: fresh }, Math.max(0, ranked.length - limit));
}

/** Nodes linked with a node in either direction, except the node's classes. */
function nodesBeside(graph: Graph, node: number): Set<number> {
	const beside = new Set<number>();
	const type = graph.numberOf(subjectOf(RDF_TYPE));
	for (const { predicate, other } of linksBeside(graph, node)) {
		if (predicate !== type && isThing(graph, other)) beside.add(other);
		if (beside.size >= MOST_LINKS) break;
	}
	return beside;
}

function* linksBeside(graph: Graph, node: number) {
	for (const { predicate, object } of graph.walk({ subject: node })) yield { predicate, other: object };
	for (const { predicate, subject } of graph.walk({ object: node })) yield { predicate, other: subject };
}

function isThing(graph: Graph, node: number): boolean {
	return graph.termAt(node).termType !== "Literal";
}

interface Nodes {
	readonly fresh: ReadonlySet<number>;
	/** The fresh nodes and the nodes to which they may be linked. */
	readonly nodes: ReadonlySet<number>;
}

function pictureOf(graph: Graph, { fresh, nodes }: Nodes, left: number): Neighbourhood {
	const links: Neighbourhood["links"][number][] = [];
	const things: FoundThing[] = [];
	const type = graph.numberOf(subjectOf(RDF_TYPE));
	// Cache names, because few properties link many resources.
	const nameProperty = memoize((property: string) => named(graph, subjectOf(property)));
	const tell = (pattern: Pattern, isWanted: (quad: GraphQuad) => boolean) => {
		for (const quad of graph.match(pattern)) {
			const { subject, predicate, object, document, lines } = quad;
			if (predicate.value === RDF_TYPE || object.termType === "Literal" || !isWanted(quad)) continue;
			const property = nameProperty(predicate.value);
			links.push({ from: idOf(subject), to: idOf(object), property, place: { uri: document, lines } });
		}
	};
	for (const node of fresh) {
		const term = graph.termAt(node);
		if (term.termType === "Literal") continue;
		things.push(foundThing(graph, term));
		tell({ subject: term }, ({ object }) => nodes.has(graph.numberOf(object)));
		for (const subject of pointingFrom(graph, node, { fresh, nodes }, type))
			tell({ subject, object: term }, () => true);
	}
	return { things, links, left };
}

function pointingFrom(graph: Graph, node: number, { fresh, nodes }: Nodes, type: number): Subject[] {
	if (fresh.size === nodes.size) return [];
	const from = new Set<number>();
	for (const { subject, predicate } of graph.walk({ object: node }))
		if (predicate !== type && nodes.has(subject) && !fresh.has(subject)) from.add(subject);
	return [...from].map((subject) => graph.termAt(subject)).filter(isSubject);
}

export function pathBetween(graph: Graph, { from, to }: Record<"from" | "to", string>): Neighbourhood {
	const [start, end] = [from, to].map((iri) => graph.numberOf(subjectOf(iri)));
	const way = start && end ? shortestWay(graph, start, end) : [];
	const nodes = new Set(way);
	return pictureOf(graph, { fresh: nodes, nodes }, 0);
}

function shortestWay(graph: Graph, start: number, end: number): number[] {
	const before = new Map<number, number>([[start, 0]]);
	for (const node of before.keys()) {
		if (node === end) return wayTo(end, before);
		if (before.size > MOST_VISITED) return [];
		for (const next of nodesBeside(graph, node)) if (!before.has(next)) before.set(next, node);
	}
	return [];
}

function wayTo(end: number, before: ReadonlyMap<number, number>): number[] {
	const way: number[] = [];
	for (let node = end; node !== 0; node = before.get(node) ?? 0) way.unshift(node);
	return way;
}

/** The subjects of statements on these lines, in the order of the places, followed by the linked resources. */
export function thingsAt(graph: Graph, places: readonly Place[]): string[] {
	const statements = places.flatMap(({ uri, lines: { start, end } }) =>
		[...graph.match({ document: uri })].filter(({ lines }) => lines.start <= end && lines.end >= start),
	);
	const pointing = statements.filter(({ predicate }) => predicate.value !== RDF_TYPE);
	const things = [...statements.map(({ subject }) => subject), ...pointing.map(({ object }) => object)];
	return [...new Set(things.flatMap(({ termType, value }) => (termType === "NamedNode" ? value : [])))];
}
