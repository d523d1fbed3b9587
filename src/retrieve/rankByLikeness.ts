import type { PassageReads } from "../store/port/store.ts";
import type { Fused } from "./fuse.ts";
import { STATIC_SCALE, type VectorScale } from "./vectorScale.ts";

interface Likeness {
	/** How many of the best passages are taken to answer the query. */
	readonly trusted: number;
	/** Share of the score that likeness to them decides. */
	readonly weight: number;
}

/** Chosen in docs/eval.md. */
export const LIKENESS: Likeness = { trusted: 2, weight: 1 / 6 };

/** Pseudo relevance feedback on vectors (Rocchio, 1971; Li et al., 2021), over what was found: needs no second search. */
export function rankByLikeness(
	fused: readonly Fused[],
	store: Pick<PassageReads, "centreOf" | "cosines">,
	{ read }: VectorScale = STATIC_SCALE,
	{ trusted, weight } = LIKENESS,
): readonly Fused[] {
	const centre = store.centreOf(fused.slice(0, trusted).map(({ row }) => row));
	const cosines = store.cosines(
		centre,
		fused.map(({ row }) => row),
	);
	if (cosines.size === 0) return fused;
	// What has no vector yet is taken to be as far as what is farthest.
	const farthest = Math.min(...cosines.values());
	return fused
		.map((entry) => {
			const likeness = Math.max(0, read(cosines.get(entry.row) ?? farthest));
			return { ...entry, score: (1 - weight) * entry.score + weight * likeness };
		})
		.sort((a, b) => b.score - a.score);
}
