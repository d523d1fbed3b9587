import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { Neighbourhood, Place } from "../../core/knowledge/things.ts";
import type { Graph } from "../facts/graph.ts";
import { idOf, subjectOf } from "../facts/resourceId.ts";
import { foundThing, named } from "./thingView.ts";

/** Links of one thing that are looked at: a hub has more neighbours than anybody can see. */
const MOST_LINKS = 5000;

/** Things that a path is looked for among, from both ends. */
const MOST_VISITED = 200_000;

const NEIGHBOURS = 300;

interface Middle {
	readonly iris: readonly string[];
	readonly shown?: readonly string[];
	readonly limit?: number;
}

/** Things with their neighbours, and every link between those that are shown. */
export function neighboursOf(graph: Graph, { iris, shown = [], limit = NEIGHBOURS }: Middle): Neighbourhood {
	const nodes = new Set([...iris, ...shown].map((iri) => graph.numberOf(subjectOf(iri))).filter(Boolean));
	const left = new Set<number>();
	const room = nodes.size + limit;
	for (const iri of iris)
		for (const neighbour of nodesBeside(graph, graph.numberOf(subjectOf(iri)))) {
			if (nodes.size < room) nodes.add(neighbour);
			else if (!nodes.has(neighbour)) left.add(neighbour);
		}
	return pictureOf(graph, nodes, left.size);
}

/** Nodes that are linked with one, but for its classes. */
function nodesBeside(graph: Graph, node: number): Set<number> {
	const beside = new Set<number>();
	const type = graph.numberOf(subjectOf(RDF_TYPE));
	for (const { predicate, other } of node === 0 ? [] : linksBeside(graph, node)) {
		if (predicate !== type && isThing(graph, other)) beside.add(other);
		if (beside.size >= MOST_LINKS) break;
	}
	return beside;
}

function* linksBeside(
	graph: Graph,
	node: number,
): Generator<{ readonly predicate: number; readonly other: number }> {
	for (const { predicate, object } of graph.walk({ subject: node })) yield { predicate, other: object };
	for (const { predicate, subject } of graph.walk({ object: node })) yield { predicate, other: subject };
}

function isThing(graph: Graph, node: number): boolean {
	return graph.termAt(node).termType !== "Literal";
}

function pictureOf(graph: Graph, nodes: ReadonlySet<number>, left: number): Neighbourhood {
	const links: Neighbourhood["links"][number][] = [];
	const things = [];
	for (const node of nodes) {
		const term = graph.termAt(node);
		if (term.termType === "Literal") continue;
		things.push(foundThing(graph, term));
		for (const { predicate, object, document, lines } of graph.match({ subject: term })) {
			if (predicate.value === RDF_TYPE || object.termType === "Literal" || !nodes.has(graph.numberOf(object)))
				continue;
			const place: Place = { uri: document, lines };
			links.push({ from: idOf(term), to: idOf(object), property: named(graph, predicate), place });
		}
	}
	return { things, links, left };
}

/** The things of the shortest way from one to the other, and their links. */
export function pathBetween(
	graph: Graph,
	{ from, to }: { readonly from: string; readonly to: string },
): Neighbourhood {
	const [start, end] = [from, to].map((iri) => graph.numberOf(subjectOf(iri)));
	const way = start && end ? shortestWay(graph, start, end) : [];
	return pictureOf(graph, new Set(way), 0);
}

/** Step by step outwards. */
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

/** The things that statements on these lines are about, in the order of the places; those that they only point to follow. */
export function thingsAt(graph: Graph, places: readonly Place[]): string[] {
	const statements = places.flatMap(({ uri, lines: wanted }) =>
		[...graph.match({ document: uri })].filter(
			({ lines }) => lines.start <= wanted.end && lines.end >= wanted.start,
		),
	);
	const told = statements.map(({ subject }) => subject);
	const named = statements
		.filter(({ predicate }) => predicate.value !== RDF_TYPE)
		.map(({ object }) => object);
	const things = [...told, ...named].filter(({ termType }) => termType === "NamedNode");
	return [...new Set(things.map(({ value }) => value))];
}
