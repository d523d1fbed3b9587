import { BY_DOCUMENT } from "../../src/retrieve/rankByDocument.ts";
import { STATIC_SCALE } from "../../src/retrieve/vectorScale.ts";
import { fused, NO_DOCUMENTS, NO_LIKENESS } from "./fusedLegs.ts";
import type { Found, LegRuns } from "./legRuns.ts";
import {
	DESCRIPTOR_WEIGHT,
	reciprocalRanks,
	SCALES,
	scaled,
	weightByAgreement,
	weightByPeaks,
	withDescriptors,
	withDescriptorText,
} from "./otherFusions.ts";

/** A way of ranking passages from what the legs found. */
export interface System {
	readonly name: string;
	rank(run: LegRuns): readonly Found[];
}

/** What is compared with the bars. */
export const SYSTEMS = {
	text: { name: "full text", rank: ({ text }) => text },
	vector: { name: "vectors", rank: ({ vector }) => vector },
	hybrid: { name: "hybrid", rank: (run) => fused(run, withoutGraph(run)) },
	shipped: { name: "hybrid + graph (shipped)", rank: (run) => fused(run, run) },
	full: {
		name: "hybrid + descriptors + graph",
		rank: (run) => fused(run, { vector: withDescriptors(run), entity: run.entity }),
	},
} satisfies Record<string, System>;

const BARE = { likeness: NO_LIKENESS, documents: NO_DOCUMENTS };

/** The same with neither likeness to the best nor the documents: each of the next rows changes one thing in this one. */
export const PLAIN: System = {
	name: "hybrid without likeness to the best or documents",
	rank: (run) => fused(run, withoutGraph(run), BARE),
};

/** What ranking by documents could be. */
const DOCUMENTS: readonly System[] = [
	{ name: "without documents (before)", documents: NO_DOCUMENTS },
	{ name: "documents: half the weights", documents: { ...BY_DOCUMENT, weights: [0.05, 0.025, 0.0125] } },
	{ name: "documents: twice the weights", documents: { ...BY_DOCUMENT, weights: [0.2, 0.1, 0.05] } },
	{ name: "documents: short ones lose", documents: { ...BY_DOCUMENT, absent: 0 } },
].map(({ name, documents }) => ({
	name,
	rank: (run: LegRuns) => fused(run, withoutGraph(run), { documents }),
}));

/** What likeness to the best could be: to how many of them, and with which weight. */
export const LIKENESSES: readonly System[] = [1, 2, 3].flatMap((trusted) =>
	[0.1, 1 / 6, 0.25].map((weight) => ({
		name: `likeness to the best ${trusted}, ${weight.toFixed(2)}`,
		rank: (run: LegRuns) => fused(run, withoutGraph(run), { likeness: { trusted, weight } }),
	})),
);

/** What was tried and dropped. */
export const TRIED: readonly System[] = [
	...DOCUMENTS,
	...LIKENESSES,
	PLAIN,
	{
		name: "a guess for the cosines of what only the words found",
		rank: (run) => fused(run, { vector: run.vector }, BARE),
	},
	{ name: "reciprocal ranks, k = 60", rank: reciprocalRanks },
	...[0.3, 0.5].map((weight) => ({
		name: `vectors ${weight} in place of ${STATIC_SCALE.weight}`,
		rank: (run: LegRuns) => scaled(run, weight, SCALES.best),
	})),
	...[0.3, 0.4].map((weight) => ({
		name: `cosines above the median, ${weight}`,
		rank: (run: LegRuns) => scaled(run, weight, aboveMedian(run)),
	})),
	{ name: "scores as shares of their mean, 0.45", rank: (run) => scaled(run, 0.45, SCALES.mean) },
	{ name: "scores as places in their range, 0.4", rank: (run) => scaled(run, 0.4, SCALES.range) },
	{ name: "scores from the lowest possible, 0.7", rank: (run) => scaled(run, 0.7, SCALES.theoretical) },
	{ name: "scores in standard deviations, 0.4", rank: (run) => scaled(run, 0.4, SCALES.deviation) },
	{ name: "weight by the peaks of both legs", rank: (run) => scaled(run, weightByPeaks(run), SCALES.best) },
	{
		name: "weight by agreement of the legs",
		rank: (run) => scaled(run, weightByAgreement(run), SCALES.best),
	},
	{
		name: `hybrid, ${DESCRIPTOR_WEIGHT} of the vectors' share to vectors of descriptors`,
		rank: (run) => fused(run, { vector: withDescriptors(run) }),
	},
	{ name: "hybrid, 0.1 to the full text of descriptors", rank: withDescriptorText },
];

function withoutGraph({ vector, cosines }: LegRuns) {
	return { vector, cosines };
}

function aboveMedian({ typicalCosine }: LegRuns): typeof SCALES.theoretical {
	return (scores, leg) => {
		const floor = leg === "text" ? 0 : typicalCosine;
		return { floor, span: Math.max(...scores) - floor };
	};
}
