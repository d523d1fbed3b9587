import type { Found, LegRuns } from "./legRuns.ts";

/** Weight of descriptors in the mixed cosine. */
const DESCRIPTOR_WEIGHT = 0.3;

/** Assumed score of a passage that a vector leg did not find, relative to the last one found. */
const UNSEEN = 0.75;

/** Mixes the cosines of passages with those of their descriptors. */
export function withDescriptors({ vector, descriptors }: LegRuns): Found[] {
	const [whole, described] = [sharesOf(vector), sharesOf(descriptors.vector)];
	const [unseen, undescribed] = [whole, described].map(
		(shares) => UNSEEN * ([...shares.values()].at(-1) ?? 0),
	);
	const ids = [...whole.keys(), ...described.keys()];
	const mixed = (id: string) =>
		(1 - DESCRIPTOR_WEIGHT) * (whole.get(id) ?? unseen ?? 0) +
		DESCRIPTOR_WEIGHT * (described.get(id) ?? undescribed ?? 0);
	return best(new Map(ids.map((id) => [id, mixed(id)])));
}

function sharesOf(found: readonly Found[]): Map<string, number> {
	const span = found[0]?.score ?? 0;
	return new Map(found.map(({ id, score }) => [id, span > 0 ? Math.max(0, score) / span : 1]));
}

function best(scores: ReadonlyMap<string, number>): Found[] {
	return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
