import type { Quad, Subject } from "../../core/knowledge/rdf.ts";

/** Equal for quads that say the same, wherever they stand. Nothing but the text of a literal holds a line end. */
export function quadKey({ subject, predicate, object, graph }: Quad): string {
	const place = `${subjectKey(subject)}\n${predicate.value}\n${graph ? subjectKey(graph) : ""}\n`;
	if (object.termType !== "Literal") return place + subjectKey(object);
	return `${place}"${object.datatype}\n${object.language ?? ""}\n${object.value}`;
}

/** Every statement once, where it stands first. */
export function distinct(quads: readonly Quad[]): Quad[] {
	const first = new Map<string, Quad>();
	for (const quad of quads) {
		const key = quadKey(quad);
		if (!first.has(key)) first.set(key, quad);
	}
	return [...first.values()];
}

function subjectKey(subject: Subject): string {
	return subject.termType === "BlankNode" ? `_:${subject.value}` : subject.value;
}
