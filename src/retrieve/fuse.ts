import type { Leg } from "../core/knowledge.ts";
import type { Match } from "../store/store.ts";

/** Share of the fused score that the vectors decide; the words decide the rest. */
export const VECTOR_WEIGHT = 0.3;

/**
 * A passage that only the words found has some cosine too, at most that of the last one that the vectors found.
 * Taken as this part of it, rankings come out as with the true cosine.
 */
const UNSEEN = 0.75;

/** How far an entity that is surely meant lifts a passage towards the best score. */
export const ENTITY_WEIGHT = 0.4;

/** What the legs found, each best first; a leg that did not run is absent. */
export interface LegResults {
	readonly text: readonly Match[];
	readonly vector?: readonly Match[];
	/** Scores are 0 to 1 by themselves: how surely the query means what the passage is about. */
	readonly entity?: readonly Match[];
	/** The median cosine of the query with all passages. */
	readonly typicalCosine: number;
}

export interface Fused {
	readonly row: number;
	/** 0 to 1. */
	readonly score: number;
	/** Rank, from 1, in every leg that found it. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
}

/** A match on the scale of its leg: 1 is the best, 0 says nothing. */
interface Place {
	readonly rank: number;
	readonly share: number;
}

/**
 * Convex combination of normalised scores, best first: BM25 as a share of the best BM25,
 * the cosine as its place between the typical and the best cosine. What the graph found is lifted from there towards 1.
 */
export function fuse({ text, vector, entity, typicalCosine }: LegResults): Fused[] {
	const weight = vector ? VECTOR_WEIGHT : 0;
	const [byText, byVector] = [placesOf(text, 0), placesOf(vector ?? [], typicalCosine)];
	const unseen = UNSEEN * ([...byVector.values()].at(-1)?.share ?? 0);
	const byEntity = new Map(entity?.map(({ row, score }, index) => [row, { rank: index + 1, share: score }]));
	const rows = new Set([...byText.keys(), ...byVector.keys(), ...byEntity.keys()]);
	return [...rows]
		.map((row) => {
			const [inText, inVector, inEntity] = [byText.get(row), byVector.get(row), byEntity.get(row)];
			const alike = (1 - weight) * (inText?.share ?? 0) + weight * (inVector?.share ?? unseen);
			const score = alike + (1 - alike) * ENTITY_WEIGHT * (inEntity?.share ?? 0);
			return { row, score, why: whyOf({ text: inText, vector: inVector, entity: inEntity }) };
		})
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score);
}

function placesOf(matches: readonly Match[], floor: number): Map<number, Place> {
	const span = (matches[0]?.score ?? 0) - floor;
	return new Map(
		matches.map(({ row, score }, index) => [
			row,
			{ rank: index + 1, share: span > 0 ? Math.max(0, score - floor) / span : 1 },
		]),
	);
}

function whyOf(places: Readonly<Record<Leg, Place | undefined>>): Fused["why"] {
	const { text, vector, entity } = places;
	return {
		...(text && { text: text.rank }),
		...(vector && { vector: vector.rank }),
		...(entity && { entity: entity.rank }),
	};
}
