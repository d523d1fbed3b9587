import { overlap } from "../core/knowledge/citation.ts";
import type { ReadCandidate } from "./candidate.ts";

type Found = Pick<ReadCandidate, "id" | "iri" | "uri" | "lines" | "score">;

const HITS_PER_PART = 3;

/** Weight of the whole query's score for a hit of a part, because parts lack context. Chosen in docs/experiments.md. */
const LIGHT = 0.25;

/** Merges hits: named hits of the whole query, its best hits within its share of `limit`, best hits of each part. */
export function withParts<Hit extends Found>(
	whole: { readonly hits: readonly Hit[]; readonly named: ReadonlySet<string> },
	parts: readonly (readonly Hit[])[],
	limit: number,
): Hit[] {
	const most = Math.max(0, limit - HITS_PER_PART * parts.length);
	const kept = whole.hits.slice(0, limit).filter(({ id }, rank) => rank < most || whole.named.has(id));
	const least = kept.at(-1)?.score ?? 1;
	const added = inTurns(parts, kept, limit).slice(kept.length);
	const scored = added.map((hit) => ({ ...hit, score: hit.score * least })).sort((a, b) => b.score - a.score);
	return [...kept, ...scored];
}

/** Sorts hits of a part by both scores, but takes one hit of each document or resource before any second hit. */
export function inLightOf<Hit extends Found>(
	whole: ReadonlyMap<Hit["id"], number>,
	hits: readonly Hit[],
): Hit[] {
	const worth = ({ id, score }: Hit) => score + LIGHT * (whole.get(id) ?? 0);
	const sorted = [...hits].sort((a, b) => worth(b) - worth(a));
	const seen = new Set<string>();
	const isFirst = ({ uri, iri = uri }: Hit) => !seen.has(iri) && seen.add(iri);
	const first = sorted.filter(isFirst);
	return [...first, ...sorted.filter((hit) => !first.includes(hit))];
}

/** Adds the first hit of each list, then each second hit and so on, up to the limit and without duplicates. */
export function inTurns<Hit extends Found>(
	lists: readonly (readonly Hit[])[],
	before: readonly Hit[],
	limit: number,
): Hit[] {
	const taken = [...before];
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	for (let rank = 0; rank < longest; rank++)
		for (const list of lists) {
			const hit = list[rank];
			if (taken.length >= limit) return taken;
			if (hit && !taken.some((other) => isSame(hit, other))) taken.push(hit);
		}
	return taken;
}

function isSame(hit: Found, other: Found): boolean {
	if (hit.id === other.id || (hit.iri !== undefined && hit.iri === other.iri)) return true;
	return hit.uri === other.uri && overlap(hit.lines, other.lines) > 0 && !hit.lines.columns;
}
