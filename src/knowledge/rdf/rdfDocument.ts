import type { ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import { fileName, type Source } from "../passages/format.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { canonicalize } from "./canonicalBlankNodes.ts";
import { distinct } from "./quadKey.ts";

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
