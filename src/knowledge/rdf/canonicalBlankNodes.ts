import type { BlankNode, Quad, Term } from "../../core/knowledge/rdf.ts";
import {
	type BlankNodeGraph,
	type Budget,
	type Coloring,
	colorByComponent,
	colorByStatements,
	individualize,
	refine,
	toBlankNodeGraph,
} from "./blankNodeColors.ts";

/**
 * Gives blank nodes labels that follow from what is said of them, so that reading a file again, or the same statements
 * in another order, gives the same labels. The quads stay as many as they are, and in their order.
 *
 * Nodes get the hash of their own statements first, as in RDFC-1.0 (https://www.w3.org/TR/rdf-canon/, 4.6); those that
 * share one are told apart by their neighbours, and equal ones one by one, as in A. Hogan, "Canonical Forms for
 * Isomorphic and Equivalent RDF Graphs" (ACM TWEB 11, 2017), but without its search: graphs made to be poison end in
 * the order of the file instead of never.
 */
export function canonicalize(quads: readonly Quad[]): Quad[] {
	const graph = toBlankNodeGraph(quads);
	if (graph.labels.length === 0) return [...quads];
	const coloring = colorByStatements(graph);
	const budget: Budget = { left: 100_000 + 20 * quads.length };
	if (tiedColors(coloring).length > 0) refine(graph, coloring, graph.labels, budget);
	if (tiedColors(coloring).length > 0) colorByComponent(graph, coloring);
	breakTies(graph, coloring, budget);
	return relabel(quads, coloring);
}

/** Equal nodes get colors of their own one by one, in an order of classes that is the same for every file order. */
function breakTies(graph: BlankNodeGraph, coloring: Coloring, budget: Budget): void {
	const { classes } = coloring;
	for (let tied = tiedColors(coloring); tied.length > 0; tied = tiedColors(coloring)) {
		for (const color of tied) {
			for (let members = classes.get(color); members && members.size > 1; members = classes.get(color)) {
				const [first = ""] = members;
				individualize(coloring, first);
				refine(graph, coloring, [first], budget);
			}
		}
	}
}

function tiedColors({ classes }: Coloring): string[] {
	return [...classes]
		.filter(([, members]) => members.size > 1)
		.map(([color]) => color)
		.sort();
}

function relabel(quads: readonly Quad[], { colorOf }: Coloring): Quad[] {
	const nodes = new Map<string, BlankNode>();
	for (const [label, color] of colorOf) nodes.set(label, { termType: "BlankNode", value: `b${color}` });
	const rename = <T extends Term>(term: T): T | BlankNode =>
		term.termType === "BlankNode" ? (nodes.get(term.value) ?? term) : term;
	return quads.map((quad) => ({
		...quad,
		subject: rename(quad.subject),
		object: rename(quad.object),
		...(quad.graph && { graph: rename(quad.graph) }),
	}));
}
