import type { Hit } from "../core/knowledge/knowledge.ts";
import type { Place } from "../core/knowledge/place.ts";
import type { StoredPassage } from "../store/port/store.ts";
import type { GraphPath } from "./entities/graphPath.ts";
import type { Fused } from "./fuse.ts";

/** A passage that may become a hit. */
export interface Candidate {
	readonly hit: Omit<Hit, "path" | "via" | "others"> & {
		readonly way?: GraphPath;
		readonly others?: readonly OtherPlace[];
	};
	/** Whether it is running text, not what verbalizes a resource. */
	readonly isText: boolean;
	/** Whether it matches the query, and is not only the nearest that there is. */
	readonly isMatch: boolean;
}

/** Another passage about the thing of a hit. */
export interface OtherPlace {
	readonly uri: string;
	readonly lines: Place;
	/** What is not said before. */
	readonly text: string;
}

export function toCandidate(
	passage: StoredPassage | undefined,
	{ row, score, why }: Fused,
	{ via, matching }: { readonly via: ReadonlyMap<number, GraphPath>; readonly matching: ReadonlySet<number> },
): Candidate[] {
	if (!passage) return [];
	const { resource, ...rest } = passage;
	const iri = resource?.startsWith("_:") ? undefined : resource;
	const way = via.get(row);
	const hit = { ...rest, score, why, ...(iri !== undefined && { iri }), ...(way && { way }) };
	return [{ hit, isText: resource === undefined, isMatch: matching.has(row) }];
}

export function rescored({ hit, ...rest }: Candidate, change: (score: number) => number): Candidate {
	return { ...rest, hit: { ...hit, score: change(hit.score) } };
}
