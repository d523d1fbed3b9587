import { idOf, type Quad } from "../../core/knowledge/rdf.ts";

/** Equal for equal statements, whatever their lines. Only literals contain line ends. */
export function quadKey({ subject, predicate, object, graph }: Quad): string {
	const place = `${idOf(subject)}\n${predicate.value}\n${graph ? idOf(graph) : ""}\n`;
	if (object.termType !== "Literal") return place + idOf(object);
	return `${place}"${object.datatype}\n${object.language ?? ""}\n${object.value}`;
}

/** Keeps the first of equal statements. */
export function distinct(quads: readonly Quad[]): Quad[] {
	const first = new Map<string, Quad>();
	for (const quad of quads) {
		const key = quadKey(quad);
		if (!first.has(key)) first.set(key, quad);
	}
	return [...first.values()];
}
