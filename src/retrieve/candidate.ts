import type { Citation, LineRange, Place, PlaceOf } from "../core/knowledge/citation.ts";
import type { Passage } from "../core/knowledge/document.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import { type Section, sectionsOf } from "../core/knowledge/section.ts";
import type { Graph } from "../graph/facts/graph.ts";
import type { StoredPassage } from "../store/port/store.ts";
import type { GraphPath } from "./entities/reachNodes.ts";
import type { Fused } from "./fuse.ts";

export interface PlacePorts {
	readonly pathOf: (uri: string) => string;
	/** Maps lines of the stored text to places in files that are not text; absent if all files are text. */
	readonly placeOf?: PlaceOf;
	readonly facts?: { readonly graph: Graph };
}

/** Returns a function that cites lines of a stored text. */
export function citing({ pathOf, placeOf }: PlacePorts) {
	return (uri: string, lines: LineRange): Citation => ({
		path: pathOf(uri),
		lines: placeOf?.(uri, lines) ?? lines,
	});
}

/** A passage that may become a hit. Only the best candidates are read. */
export interface Candidate extends Fused, Pick<Hit, "id" | "uri"> {
	/** IRI of the resource that the passage verbalizes; `undefined` for running text and for blank nodes. */
	readonly iri: string | undefined;
	/** Path through the graph from a name in the query to the resource. */
	readonly way: GraphPath | undefined;
	readonly isText: boolean;
	/** Whether the passage matches the query and is not only near to it. */
	readonly isMatch: boolean;
}

export interface ReadCandidate extends Candidate, Pick<Passage, "title" | "text"> {
	readonly lines: Place;
	/** The sections of the text; their lines refer to the stored text. */
	readonly content: readonly Content[];
	readonly others?: readonly OtherPlace[];
}

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
