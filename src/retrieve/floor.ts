import { LEAST_SHARE } from "../search/match.ts";
import type { LegResults } from "./fuse.ts";
import { STATIC_SCALE, type VectorScale } from "./vectorScale.ts";

/** Required share of words and cosine, more for each tenfold of passages, since chance finds more. See docs/experiments.md. */
const LEAST = 0.35;
const MORE_FOR_TENFOLD = 0.1;
const MEANING = 1.5;

/** Rows that match by words and meaning, the graph or a description. All if it is unknown how telling the words are. */
export function matchingRows(
	{
		text,
		quoted = new Set(),
		vector = [],
		cosines,
		scale = STATIC_SCALE,
		entity = [],
		descriptor = [],
	}: LegResults,
	passages: number,
): ReadonlySet<number> {
	const isMatch = text.some(({ share }) => share === undefined) ? () => true : createFloor(passages, scale);
	const near = new Map(vector.map(({ row, score }) => [row, score]));
	const matching = new Set<number>(quoted);
	for (const { row, share = 0 } of text)
		if (isMatch(share, near.get(row) ?? cosines?.get(row))) matching.add(row);
	for (const [row, cosine] of near) if (isMatch(0, cosine)) matching.add(row);
	for (const { row } of entity) matching.add(row);
	for (const row of descriptor.flatMap(({ rows }) => rows)) matching.add(row);
	return matching;
}

/** Whether a share of the words and a cosine are enough. What has no vector yet is judged by its words. */
function createFloor(passages: number, { asBuiltIn }: VectorScale) {
	const least = LEAST + MORE_FOR_TENFOLD * Math.log10(Math.max(1, passages));
	return (share: number, cosine: number | undefined) =>
		cosine === undefined ? share >= LEAST_SHARE : share + MEANING * asBuiltIn(cosine) >= least;
}
