import type { Graph } from "../../store/graph/graph.ts";
import { localNameOf } from "../../store/graph/iriParts.ts";
import { nameOf } from "../../store/graph/labels.ts";
import type { ReachedNode } from "./reachNodes.ts";

/** `Ada Byron → worksFor → Analytical Society`; a statement that points back is `← worksFor ←`. */
export function describePath(graph: Graph, { from, steps }: ReachedNode): string {
	const walked = steps.map(({ predicate, isInverse, to }) => {
		const property = localNameOf(graph.termAt(predicate).value);
		return isInverse ? `← ${property} ← ${nameIn(graph, to)}` : `→ ${property} → ${nameIn(graph, to)}`;
	});
	return [nameIn(graph, from), ...walked].join(" ");
}

function nameIn(graph: Graph, node: number): string {
	const term = graph.termAt(node);
	return term.termType === "Literal" ? `“${term.value}”` : nameOf(graph, term);
}
