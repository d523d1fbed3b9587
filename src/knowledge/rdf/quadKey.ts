import type { Quad, Term } from "../../core/rdf.ts";

/** Equal for quads that say the same, wherever they stand. */
export function quadKey({ subject, predicate, object, graph }: Quad): string {
	return `${termKey(subject)} ${predicate.value} ${termKey(object)} ${graph ? termKey(graph) : ""}`;
}

/** Every statement once, where it stands first. */
export function distinct(quads: readonly Quad[]): Quad[] {
	const seen = new Set<string>();
	return quads.filter((quad) => seen.size < seen.add(quadKey(quad)).size);
}

function termKey(term: Term): string {
	if (term.termType === "NamedNode") return term.value;
	if (term.termType === "BlankNode") return `_:${term.value}`;
	return JSON.stringify([term.value, term.datatype, term.language]);
}
