import type { Leg } from "../core/knowledge/knowledge.ts";
import type { Match } from "../search/match.ts";
import { STATIC_SCALE, type VectorScale } from "./vectorScale.ts";

/** What the words of a passage in another language than the question's count for: names and numbers, and accidents. */
const FOREIGN_WORDS = 0.3;

/** What a passage whose vector is still to be made is taken to be near, as part of the last one that the vectors found. */
const UNSEEN = 0.75;

/** How far an entity that is surely meant lifts a passage towards the best score. */
const ENTITY_WEIGHT = 0.4;

/** As much as an entity: a description is no better evidence. Below half, so that it never outvotes passages. */
const DESCRIPTOR_WEIGHT = 0.4;

/** How far a quoted phrase lifts the only passage that has it; of several, each less. It may be a name, or words that somebody doubts. */
const QUOTED_WEIGHT = 0.5;

/** What the legs found, each best first; a leg that did not run is absent. */
export interface LegResults {
	readonly text: readonly Match[];
	/** Rows that have what a question quotes, word for word. */
	readonly quoted?: ReadonlySet<number>;
	readonly vector?: readonly Match[];
	/** By row, of what the other legs found: the cosines that the vectors' own leg left out. */
	readonly cosines?: ReadonlyMap<number, number>;
	/** How the cosines were read; by default as those of the built-in model. */
	readonly scale?: VectorScale;
	/** Scores are 0 to 1 by themselves: how surely the query means what the passage is about. */
	readonly entity?: readonly Match[];
	/** Documents found by their descriptions, with scores like those of entities. */
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
	/** Rank, from 1, in every leg that found it. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
}

interface Shares {
	readonly why: Partial<Record<Leg, number>>;
	text: number;
	vector: number | undefined;
	entity: number;
	descriptor: number;
}

/** Convex combination of each leg's share of its best score; the graph and descriptions lift towards 1. See docs/eval.md. */
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

/** Documents found by their descriptions alone, best first, with their certainty as score. */
export function rankDocuments(documents: readonly DocumentMatch[]): Fused[] {
	const places = [...documentPlaces(documents)];
	return places.map(([row, { rank, share }]) => ({ row, score: share, why: { descriptor: rank } }));
}

/** From a score towards 1, by at most the weight. */
function lift(score: number, weight: number, share: number): number {
	return score + (1 - score) * weight * share;
}

interface Place {
	readonly rank: number;
	readonly share: number;
}

/** All passages of a document have its rank. */
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

/** 0 to 1. */
function partOf(best: number, score: number): number {
	return best > 0 ? Math.min(1, Math.max(0, score) / best) : 0;
}
