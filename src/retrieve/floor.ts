import { LEAST_SHARE } from "../search/match.ts";
import type { LegResults } from "./fuse.ts";

/** The cosine that a passage must have to match a query by its meaning alone. Measured in docs/experiments.md. */
const LEAST_COSINE = 0.35;

/** Hits that are shown where nothing matches. */
export const NEAREST = 3;

/**
 * The rows that match: by what they have of the query's words, by their meaning, or because the graph or a description
 * leads there. Everything that was found where it is not known how telling the words are.
 */
export function matchingRows({ text, vector, cosines, entity, descriptor }: LegResults): ReadonlySet<number> {
	const isMeant = (cosine: number | undefined) => cosine !== undefined && cosine >= LEAST_COSINE;
	const isUnknown = text.some(({ share }) => share === undefined);
	const near = (vector ?? []).filter(({ score }) => isUnknown || isMeant(score));
	const worded = text.filter(({ row, share = 1 }) => share >= LEAST_SHARE || isMeant(cosines?.get(row)));
	const meant = [...near, ...worded, ...(entity ?? [])].map(({ row }) => row);
	return new Set([...meant, ...(descriptor ?? []).flatMap(({ rows }) => rows)]);
}
