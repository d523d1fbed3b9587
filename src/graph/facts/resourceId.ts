import type { Subject } from "../../core/knowledge/rdf.ts";

/** How a resource is named outside the graph: its IRI, or `_:` and the graph's label. */
export function idOf({ termType, value }: Subject): string {
	return termType === "BlankNode" ? `_:${value}` : value;
}

export function subjectOf(id: string): Subject {
	return id.startsWith("_:")
		? { termType: "BlankNode", value: id.slice(2) }
		: { termType: "NamedNode", value: id };
}
