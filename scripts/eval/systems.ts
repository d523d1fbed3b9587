import { fuse } from "../../src/retrieve/fuse.ts";
import type { Found, LegRuns } from "./legRuns.ts";

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
		rank: (run) => withDescriptors(fused(run, { vector: run.vector, entity: run.entity }), run, "vector"),
	},
} satisfies Record<string, System>;

/** What was tried and dropped. */
export const TRIED: readonly System[] = [
	{ name: "reciprocal ranks, k = 60", rank: reciprocalRanks },
	...[0.2, 0.3, 0.4, 0.5].map((weight) => ({
		name: `convex, vectors ${weight}`,
		rank: (run: LegRuns) => convex(run, weight, run.typicalCosine),
	})),
	{ name: "max-scaled, vectors 0.4", rank: (run) => convex(run, 0.4, 0) },
	{
		name: "weight by the peaks of both legs",
		rank: (run) => convex(run, weightByPeaks(run), run.typicalCosine),
	},
	{
		name: "weight by agreement of the legs",
		rank: (run) => convex(run, weightByAgreement(run), run.typicalCosine),
	},
	{
		name: "hybrid + descriptor vectors, 0.1",
		rank: (run) => withDescriptors(fused(run, { vector: run.vector }), run, "vector"),
	},
	{
		name: "hybrid + descriptor full text, 0.1",
		rank: (run) => withDescriptors(fused(run, { vector: run.vector }), run, "text"),
	},
];

type Legs = Partial<Pick<LegRuns, "vector" | "entity">>;

/** The extension's own fusion. */
function fused({ text, typicalCosine }: LegRuns, legs: Legs): Found[] {
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
		typicalCosine,
	});
	const ids = [...rows.keys()];
	return entries.map(({ row, score }) => ({ id: ids[row] ?? "", score }));
}

const DESCRIPTOR_WEIGHT = 0.1;

function withDescriptors(found: readonly Found[], { descriptors }: LegRuns, leg: "text" | "vector"): Found[] {
	const floor = leg === "vector" ? descriptors.typicalCosine : 0;
	const shares = sharesOf(descriptors[leg], floor);
	const scores = new Map(found.map(({ id, score }) => [id, (1 - DESCRIPTOR_WEIGHT) * score]));
	for (const [id, share] of shares) scores.set(id, (scores.get(id) ?? 0) + DESCRIPTOR_WEIGHT * share);
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
	const unseen = 0.75 * ([...byVector.values()].at(-1) ?? 0);
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
