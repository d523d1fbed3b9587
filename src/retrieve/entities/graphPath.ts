import { localNameOf } from "../../base/rdf/vocabulary.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameOf } from "../../graph/facts/labels.ts";
import type { ReachedNode } from "./reachNodes.ts";

/** How the graph leads from what a question names to something else; holds whatever the graph becomes. */
export interface GraphPath {
	readonly from: Term;
	readonly steps: readonly {
		readonly property: string;
		readonly isInverse: boolean;
		readonly to: Term;
	}[];
}

export function pathTo(graph: Graph, { node, last, before }: ReachedNode): GraphPath {
	if (!last || !before) return { from: graph.termAt(node), steps: [] };
	const { from, steps } = pathTo(graph, before);
	const property = graph.termAt(last.predicate).value;
	return { from, steps: [...steps, { property, isInverse: last.isInverse, to: graph.termAt(node) }] };
}

/** `Ada Byron → worksFor → Analytical Society`; a statement that points back is `← worksFor ←`. */
export function describePath(graph: Graph, { from, steps }: GraphPath): string {
	const walked = steps.map(({ property, isInverse, to }) => {
		const [before, after] = isInverse ? ["←", "←"] : ["→", "→"];
		return `${before} ${localNameOf(property)} ${after} ${nameIn(graph, to)}`;
	});
	return [nameIn(graph, from), ...walked].join(" ");
}

function nameIn(graph: Graph, term: Term): string {
	return term.termType === "Literal" ? `“${term.value}”` : nameOf(graph, term);
}
