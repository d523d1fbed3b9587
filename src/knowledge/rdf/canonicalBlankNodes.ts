import type { BlankNode, Quad, Term } from "../../core/knowledge/rdf.ts";
import {
	type BlankNodeGraph,
	type Budget,
	type Colouring,
	colourByComponent,
	colourByStatements,
	individualize,
	refine,
	toBlankNodeGraph,
} from "./blankNodeColours.ts";

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
	const colouring = colourByStatements(graph);
	const budget: Budget = { left: 100_000 + 20 * quads.length };
	if (tiedColours(colouring).length > 0) refine(graph, colouring, graph.labels, budget);
	if (tiedColours(colouring).length > 0) colourByComponent(graph, colouring);
	breakTies(graph, colouring, budget);
	return relabel(quads, colouring);
}

/** Equal nodes get colours of their own one by one, in an order of classes that is the same for every file order. */
function breakTies(graph: BlankNodeGraph, colouring: Colouring, budget: Budget): void {
	const { classes } = colouring;
	for (let tied = tiedColours(colouring); tied.length > 0; tied = tiedColours(colouring)) {
		for (const colour of tied) {
			for (let members = classes.get(colour); members && members.size > 1; members = classes.get(colour)) {
				const [first = ""] = members;
				individualize(colouring, first);
				refine(graph, colouring, [first], budget);
			}
		}
	}
}

function tiedColours({ classes }: Colouring): string[] {
	return [...classes]
		.filter(([, members]) => members.size > 1)
		.map(([colour]) => colour)
		.sort();
}

function relabel(quads: readonly Quad[], { colourOf }: Colouring): Quad[] {
	const nodes = new Map<string, BlankNode>();
	for (const [label, colour] of colourOf) nodes.set(label, { termType: "BlankNode", value: `b${colour}` });
	const rename = <T extends Term>(term: T): T | BlankNode =>
		term.termType === "BlankNode" ? (nodes.get(term.value) ?? term) : term;
	return quads.map((quad) => ({
		...quad,
		subject: rename(quad.subject),
		object: rename(quad.object),
		...(quad.graph && { graph: rename(quad.graph) }),
	}));
}
