import type { Graph } from "../../graph/facts/graph.ts";
import type { PassageSubject } from "../../store/port/store.ts";

/** What the passages about a node are about; `undefined` for a value, which has none. */
export function passageSubjectOf(graph: Graph, node: number): PassageSubject | undefined {
	const term = graph.termAt(node);
	if (term.termType === "Literal") return undefined;
	if (term.termType === "NamedNode") return { resource: term.value };
	const [quad] = graph.match({ subject: term });
	// The graph adds an identifier of the document to the label from the document.
	return quad && { resource: `_:${term.value.slice(0, term.value.lastIndexOf("."))}`, uri: quad.document };
}
