import type { Leg } from "../core/knowledge/knowledge.ts";
import type { Match } from "../search/match.ts";
import { STATIC_SCALE, type VectorScale } from "./vectorScale.ts";

/** Weight of word matches in another language, which are only names, numbers and chance matches. */
const FOREIGN_WORDS = 0.3;

/** Factor for the lowest cosine found, to estimate the cosine of a passage without a vector yet. */
const UNSEEN = 0.75;

/** Fraction of the distance to 1 by which a certainly meant entity raises a passage's score. */
const ENTITY_WEIGHT = 0.4;

/** As `ENTITY_WEIGHT`. Below one half, so that a description cannot outweigh the passage itself. */
const DESCRIPTOR_WEIGHT = 0.4;

/** As `ENTITY_WEIGHT`, for the only passage with a quoted phrase. Low, since quotation marks may only mark a name. */
const QUOTED_WEIGHT = 0.5;

/** Results of the legs, best first; absent for legs that did not run. */
export interface LegResults {
	readonly text: readonly Match[];
	/** Rows that contain the question's quotations word for word. */
	readonly quoted?: ReadonlySet<number>;
	readonly vector?: readonly Match[];
	/** Cosines by row of passages that only other legs found. */
	readonly cosines?: ReadonlyMap<number, number>;
	/** Defaults to the scale of the built-in model. */
	readonly scale?: VectorScale;
	/** Scores are the certainty, from 0 to 1, that the query means the passage's resource. */
	readonly entity?: readonly Match[];
	/** Documents found by descriptions. Scores are like those of `entity`. */
	readonly descriptor?: readonly DocumentMatch[];
}

export interface DocumentMatch {
	readonly rows: readonly number[];
	/** 0 to 1. */
	readonly score: number;
}

export interface Fused {
	readonly row: number;
	/** 0 to 1. */
	readonly score: number;
	/** Rank, from 1, in each leg that found the passage. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
}

interface Shares {
	readonly why: Partial<Record<Leg, number>>;
	text: number;
	vector: number | undefined;
	entity: number;
	descriptor: number;
}

/**
 * Convex combination of word and vector scores, relative to the best score of each. Quotations, entities and
 * descriptions raise the sum toward 1. See docs/eval.md.
 */
export function fuse(legs: LegResults): Fused[] {
	const { quoted, vector, cosines, scale = STATIC_SCALE } = legs;
	const weight = vector ? scale.weight : 0;
	const nearest = vector?.[0]?.score ?? 0;
	const unseen = UNSEEN * partOf(nearest, vector?.at(-1)?.score ?? 0);
	const shareOf = (cosine: number | undefined) => (cosine === undefined ? unseen : partOf(nearest, cosine));
	const fused: Fused[] = [];
	for (const [row, { why, ...shares }] of sharesByRow(legs)) {
		const alike = (1 - weight) * shares.text + weight * (shares.vector ?? shareOf(cosines?.get(row)));
		const exact = quoted?.has(row) ? lift(alike, QUOTED_WEIGHT, 1 / (1 + Math.log(quoted.size))) : alike;
		const known = lift(exact, ENTITY_WEIGHT, shares.entity);
		const score = lift(known, DESCRIPTOR_WEIGHT, shares.descriptor);
		if (score > 0) fused.push({ row, score, why });
	}
	return fused.sort((a, b) => b.score - a.score);
}

function sharesByRow({ text, vector = [], entity = [], descriptor = [] }: LegResults): Map<number, Shares> {
	const found = new Map<number, Shares>();
	const note = (leg: Leg, row: number, { rank, share }: Place) => {
		const shares = found.get(row) ?? { why: {}, text: 0, vector: undefined, entity: 0, descriptor: 0 };
		shares.why[leg] = rank;
		shares[leg] = share;
		found.set(row, shares);
	};
	for (const [index, match] of text.entries())
		note("text", match.row, { rank: index + 1, share: shareOfMatch(match, text) });
	for (const [index, match] of vector.entries())
		note("vector", match.row, { rank: index + 1, share: shareOfMatch(match, vector) });
	for (const [index, { row, score }] of entity.entries())
		note("entity", row, { rank: index + 1, share: score });
	for (const [row, place] of documentPlaces(descriptor)) note("descriptor", row, place);
	return found;
}

export function rankDocuments(documents: readonly DocumentMatch[]): Fused[] {
	const places = [...documentPlaces(documents)];
	return places.map(([row, { rank, share }]) => ({ row, score: share, why: { descriptor: rank } }));
}

function lift(score: number, weight: number, share: number): number {
	return score + (1 - score) * weight * share;
}

interface Place {
	readonly rank: number;
	readonly share: number;
}

function documentPlaces(documents: readonly DocumentMatch[]): Map<number, Place> {
	return new Map(
		documents.flatMap(({ rows, score }, index) =>
			rows.map((row) => [row, { rank: index + 1, share: score }] as const),
		),
	);
}

function shareOfMatch({ score, isForeign }: Match, [best]: readonly Match[]): number {
	return (isForeign ? FOREIGN_WORDS : 1) * partOf(best?.score ?? 0, score);
}

function partOf(best: number, score: number): number {
	return best > 0 ? Math.min(1, Math.max(0, score) / best) : 0;
}
