import { memoize } from "../../base/jobs/lazily.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { FoundThing, Neighbourhood, NeighbourQuery, Place } from "../../core/knowledge/graph.ts";
import { idOf, isSubject, type Subject, subjectOf } from "../../core/knowledge/rdf.ts";
import type { Graph, GraphQuad, Pattern } from "../facts/graph.ts";
import { foundThing, named } from "./thingView.ts";

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
