import type { Leg } from "../core/knowledge.ts";

/** Share of the fused score that the vectors decide; the words decide the rest. */
export const VECTOR_WEIGHT = 0.4;

/** Something that a leg found; higher scores are better. */
export interface Scored {
	readonly id: string;
	readonly score: number;
}

/** What the legs found, each best first; a leg that did not run is absent. */
export interface LegResults<Found extends Scored> {
	readonly text: readonly Found[];
	readonly vector?: readonly Found[];
	/** The median cosine of the query with all passages. */
	readonly typicalCosine: number;
}

export interface Fused<Found extends Scored> {
	readonly found: Found;
	/** 0 to 1. */
	readonly score: number;
	/** Rank, from 1, in every leg that found it. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
}

/**
 * Convex combination of normalised scores, best first: BM25 as a share of the best BM25,
 * the cosine as its place between the typical and the best cosine.
 */
export function fuse<Found extends Scored>({
	text,
	vector,
	typicalCosine,
}: LegResults<Found>): Fused<Found>[] {
	const weights = vector ? { text: 1 - VECTOR_WEIGHT, vector: VECTOR_WEIGHT } : { text: 1, vector: 0 };
	const fused = new Map<string, Fused<Found>>();
	addLeg("text", text, 0);
	addLeg("vector", vector ?? [], typicalCosine);
	return [...fused.values()].filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);

	function addLeg(leg: Leg, results: readonly Found[], floor: number): void {
		const span = (results[0]?.score ?? 0) - floor;
		for (const [index, found] of results.entries()) {
			const share = span > 0 ? Math.max(0, found.score - floor) / span : 1;
			const known = fused.get(found.id);
			fused.set(found.id, {
				found,
				score: (known?.score ?? 0) + weights[leg] * share,
				why: { ...known?.why, [leg]: index + 1 },
			});
		}
	}
}
