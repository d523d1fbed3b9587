import type { ParsedDocument, Problem } from "../../core/document.ts";
import type { Quad } from "../../core/rdf.ts";
import { fileName } from "../fileName.ts";
import { resourcesOf } from "../resources.ts";
import { verbalize } from "../verbalize.ts";
import { canonicalize } from "./canonicalBlankNodes.ts";
import { distinct } from "./quadKey.ts";

/** What the reader of a format finds; blank nodes have labels of the text alone. */
export interface RdfContent {
	readonly quads: readonly Quad[];
	readonly problems: readonly Problem[];
}

/** A document that is nothing but statements. */
export function toRdfDocument(uri: string, content: RdfContent): ParsedDocument {
	const quads = canonicalize(distinct(content.quads));
	const resources = resourcesOf(quads);
	const self = resources.find(({ id }) => id === uri);
	return {
		title: self?.label ?? fileName(uri),
		resources,
		quads,
		passages: verbalize(resources, quads),
		problems: content.problems,
	};
}
