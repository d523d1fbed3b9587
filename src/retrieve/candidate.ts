import type { Place, PlaceOf } from "../core/knowledge/citation.ts";
import type { Passage } from "../core/knowledge/document.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import { type Section, sectionsOf } from "../core/knowledge/section.ts";
import type { Graph } from "../graph/facts/graph.ts";
import type { StoredPassage } from "../store/port/store.ts";
import type { GraphPath } from "./entities/reachNodes.ts";
import type { Fused } from "./fuse.ts";

/** Maps places to what users see. */
export interface PlacePorts {
	/** The path that users see for a URI. */
	readonly pathOf: (uri: string) => string;
	/** Maps lines to places in files that are not text; absent if all are text. */
	readonly placeOf?: PlaceOf;
	/** Statements of the documents; absent if there are none. */
	readonly facts?: { readonly graph: Graph };
}

/** A passage that may become a hit; it is read only if it ranks among the best. */
export interface Candidate extends Fused, Pick<Hit, "id" | "uri"> {
	/** IRI of the resource that it verbalizes, unless that is a blank node. */
	readonly iri: string | undefined;
	/** Path through the graph to the passage. */
	readonly way: GraphPath | undefined;
	/** Whether it is running text, and does not verbalize a resource. */
	readonly isText: boolean;
	/** Whether it matches the query, and is not merely the nearest passage. */
	readonly isMatch: boolean;
}

export interface ReadCandidate extends Candidate, Pick<Passage, "title" | "text"> {
	readonly lines: Place;
	/** The sections of the text, with the lines of the stored text. */
	readonly content: readonly Content[];
	/** Other passages about the same thing. */
	readonly others?: readonly OtherPlace[];
}

/** A section with its document and title. */
export interface Content extends Section {
	readonly uri: string;
	readonly title: string;
}

export function contentOf(passage: StoredPassage): Content[] {
	const { uri, title } = passage;
	return sectionsOf(passage).map((section) => ({ ...section, uri, title }));
}

export interface OtherPlace {
	readonly uri: string;
	readonly lines: Place;
	/** Text that earlier places do not have. */
	readonly text: string;
}
