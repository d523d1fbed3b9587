import type { ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import { idOf, type Quad } from "../../core/knowledge/rdf.ts";
import { fileName, type Source } from "../passages/format.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { canonicalize } from "./canonicalBlankNodes.ts";

/** Blank node labels are local to the text. */
export interface RdfContent {
	readonly quads: readonly Quad[];
	readonly problems: readonly Problem[];
}

export function toRdfDocument({ uri, text }: Source, content: RdfContent): ParsedDocument {
	const quads = canonicalize(distinct(content.quads));
	const resources = resourcesOf(quads);
	const self = resources.find(({ id }) => id === uri);
	return {
		title: self?.label ?? fileName(uri),
		resources,
		quads,
		passages: verbalize(resources, quads, { source: text }),
		problems: content.problems,
	};
}

/** Equal for equal statements, whatever their lines. Only literals contain line ends. */
export function quadKey({ subject, predicate, object, graph }: Quad): string {
	const place = `${idOf(subject)}\n${predicate.value}\n${graph ? idOf(graph) : ""}\n`;
	if (object.termType !== "Literal") return place + idOf(object);
	return `${place}"${object.datatype}\n${object.language ?? ""}\n${object.value}`;
}

/** Keeps the first of equal statements. */
export function distinct(quads: readonly Quad[]): Quad[] {
	// A list for each key would cost a tenth of reading a large graph.
	const first = new Map<string, Quad>();
	for (const quad of quads) {
		const key = quadKey(quad);
		if (!first.has(key)) first.set(key, quad);
	}
	return [...first.values()];
}
