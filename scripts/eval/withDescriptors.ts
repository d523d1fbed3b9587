import type { Found, LegRuns } from "./legRuns.ts";

/** The share of the vectors that descriptors get. */
const DESCRIPTOR_WEIGHT = 0.3;

/** How near a passage is that neither leg of vectors found, as part of the last that they did. */
const UNSEEN = 0.75;

/** Cosines of passages mixed with those of their descriptors. */
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
