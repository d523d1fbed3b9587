import { fuse, VECTOR_WEIGHT } from "../../src/retrieve/fuse.ts";
import type { Found, LegRuns } from "./legRuns.ts";

/** The share of the vectors that descriptors get. */
const DESCRIPTOR_WEIGHT = 0.3;

/** As in the extension's fusion. */
const UNSEEN = 0.75;

/** A way of ranking passages from what the legs found. */
export interface System {
	readonly name: string;
	rank(run: LegRuns): readonly Found[];
}

/** What is compared with the bars. */
export const SYSTEMS = {
	text: { name: "full text", rank: ({ text }) => text },
	vector: { name: "vectors", rank: ({ vector }) => vector },
	hybrid: { name: "hybrid", rank: (run) => fused(run, { vector: run.vector }) },
	shipped: {
		name: "hybrid + graph (shipped)",
		rank: (run) => fused(run, { vector: run.vector, entity: run.entity }),
	},
	full: {
		name: "hybrid + descriptors + graph",
		rank: (run) => fused(run, { vector: withDescriptors(run), entity: run.entity }),
	},
} satisfies Record<string, System>;

/** What was tried and dropped. */
export const TRIED: readonly System[] = [
	{ name: "reciprocal ranks, k = 60", rank: reciprocalRanks },
	...[0.3, 0.5].map((weight) => ({
		name: `vectors ${weight} in place of ${VECTOR_WEIGHT}`,
		rank: (run: LegRuns) => convex(run, weight, 0),
	})),
	...[0.3, 0.4].map((weight) => ({
		name: `cosines above the median, ${weight}`,
		rank: (run: LegRuns) => convex(run, weight, run.typicalCosine),
	})),
	{ name: "weight by the peaks of both legs", rank: (run) => convex(run, weightByPeaks(run), 0) },
	{ name: "weight by agreement of the legs", rank: (run) => convex(run, weightByAgreement(run), 0) },
	{
		name: `hybrid, ${DESCRIPTOR_WEIGHT} of the vectors' share to vectors of descriptors`,
		rank: (run) => fused(run, { vector: withDescriptors(run) }),
	},
	{ name: "hybrid, 0.1 to the full text of descriptors", rank: withDescriptorText },
];

type Legs = Partial<Pick<LegRuns, "vector" | "entity">>;

/** The extension's own fusion. */
function fused({ text }: LegRuns, legs: Legs): Found[] {
	const rows = new Map<string, number>();
	const numbered = (found: readonly Found[]) =>
		found.map(({ id, score }) => {
			const row = rows.get(id) ?? rows.size;
			rows.set(id, row);
			return { row, score };
		});
	const entries = fuse({
		text: numbered(text),
		...(legs.vector && { vector: numbered(legs.vector) }),
		...(legs.entity && { entity: numbered(legs.entity) }),
	});
	const ids = [...rows.keys()];
	return entries.map(({ row, score }) => ({ id: ids[row] ?? "", score }));
}

/** Cosines of passages mixed with those of their descriptors. */
function withDescriptors({ vector, descriptors }: LegRuns): Found[] {
	const [whole, described] = [sharesOf(vector, 0), sharesOf(descriptors.vector, 0)];
	const [unseen, undescribed] = [whole, described].map(
		(shares) => UNSEEN * ([...shares.values()].at(-1) ?? 0),
	);
	const ids = [...whole.keys(), ...described.keys()];
	const mixed = (id: string) =>
		(1 - DESCRIPTOR_WEIGHT) * (whole.get(id) ?? unseen ?? 0) +
		DESCRIPTOR_WEIGHT * (described.get(id) ?? undescribed ?? 0);
	return best(new Map(ids.map((id) => [id, mixed(id)])));
}

function withDescriptorText(run: LegRuns): Found[] {
	const hybrid = fused(run, { vector: run.vector });
	const described = sharesOf(run.descriptors.text, 0);
	const scores = new Map(hybrid.map(({ id, score }) => [id, 0.9 * score]));
	for (const [id, share] of described) scores.set(id, (scores.get(id) ?? 0) + 0.1 * share);
	return best(scores);
}

function reciprocalRanks({ text, vector }: LegRuns): Found[] {
	const scores = new Map<string, number>();
	for (const found of [text, vector])
		for (const [index, { id }] of found.entries())
			scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + index + 1));
	return best(scores);
}

function convex({ text, vector }: LegRuns, weight: number, floor: number): Found[] {
	const [byText, byVector] = [sharesOf(text, 0), sharesOf(vector, floor)];
	const unseen = UNSEEN * ([...byVector.values()].at(-1) ?? 0);
	const ids = [...byText.keys(), ...byVector.keys()];
	return best(
		new Map(
			ids.map((id) => [id, (1 - weight) * (byText.get(id) ?? 0) + weight * (byVector.get(id) ?? unseen)]),
		),
	);
}

/** A leg with few good matches is surer than one with many. */
function weightByPeaks({ text, vector, typicalCosine }: LegRuns): number {
	const [a, b] = [peakOf(sharesOf(text, 0)), peakOf(sharesOf(vector, typicalCosine))];
	return Math.min(0.6, Math.max(0.1, (0.7 * b) / (a + b + 1e-9)));
}

function peakOf(shares: ReadonlyMap<string, number>): number {
	const followers = [...shares.values()].slice(1, 11);
	return 1 - followers.reduce((sum, share) => sum + share, 0) / Math.max(1, followers.length);
}

function weightByAgreement({ text, vector }: LegRuns): number {
	const first = new Set(vector.slice(0, 10).map(({ id }) => id));
	return 0.3 + 0.02 * text.slice(0, 10).filter(({ id }) => first.has(id)).length;
}

function sharesOf(found: readonly Found[], floor: number): Map<string, number> {
	const span = (found[0]?.score ?? 0) - floor;
	return new Map(found.map(({ id, score }) => [id, span > 0 ? Math.max(0, score - floor) / span : 1]));
}

function best(scores: ReadonlyMap<string, number>): Found[] {
	return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
