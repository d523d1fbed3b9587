import { fused, NO_DOCUMENTS, NO_LIKENESS } from "./fusedLegs.ts";
import type { Found, LegRuns } from "./legRuns.ts";
import { withDescriptors } from "./withDescriptors.ts";

/** A method to rank passages from the results of the legs. */
export interface System {
	readonly name: string;
	rank(run: LegRuns): readonly Found[];
}

/** Systems that are compared with the bars. */
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

/** The hybrid without likeness to the best hits and without ranking by documents. */
export const PLAIN: System = {
	name: "hybrid without likeness to the best or documents",
	rank: (run) => fused(run, withoutGraph(run), BARE),
};

const WITHOUT_DOCUMENTS: System = {
	name: "without counting all passages of a document",
	rank: (run) => fused(run, withoutGraph(run), { documents: NO_DOCUMENTS }),
};

/** Variants of likeness to the best hits: their number, and the weight. */
export const LIKENESSES: readonly System[] = [1, 2, 3].flatMap((trusted) =>
	[0.1, 1 / 6, 0.25].map((weight) => ({
		name: `likeness to the best ${trusted}, ${weight.toFixed(2)}`,
		rank: (run: LegRuns) => fused(run, withoutGraph(run), { likeness: { trusted, weight } }),
	})),
);

/** The shipped search with one part changed each, to measure its effect. */
export const TRIED: readonly System[] = [WITHOUT_DOCUMENTS, ...LIKENESSES, PLAIN];

function withoutGraph({ vector, cosines }: LegRuns) {
	return { vector, cosines };
}
