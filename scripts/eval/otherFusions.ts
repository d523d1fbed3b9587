import { fused } from "./fusedLegs.ts";
import type { Found, LegRuns } from "./legRuns.ts";
import { meanOf } from "./measures.ts";

/** The share of the vectors that descriptors get. */
export const DESCRIPTOR_WEIGHT = 0.3;

/** How near a passage is that neither leg of vectors found, as part of the last that they did. */
const UNSEEN = 0.75;

/** What is taken from all scores of a leg, and the span that they are divided by then. */
type Scale = (
	scores: readonly number[],
	leg: "text" | "vector",
) => { readonly floor: number; readonly span: number };

/** Ways to bring the scores of both legs to one scale. Bruch, Gai, Ingber: An Analysis of Fusion Functions, 2023. */
export const SCALES = {
	best: (scores) => ({ floor: 0, span: Math.max(...scores) }),
	mean: (scores) => ({ floor: 0, span: meanOf(scores) }),
	range: (scores) => ({ floor: Math.min(...scores), span: Math.max(...scores) - Math.min(...scores) }),
	/** From the lowest score that a leg could give. */
	theoretical: (scores, leg) => ({
		floor: leg === "text" ? 0 : -1,
		span: Math.max(...scores) + (leg === "text" ? 0 : 1),
	}),
	deviation: (scores) => ({ floor: meanOf(scores), span: deviationOf(scores) }),
} satisfies Record<string, Scale>;

function deviationOf(scores: readonly number[]): number {
	const mean = meanOf(scores);
	return Math.sqrt(meanOf(scores.map((score) => (score - mean) ** 2)));
}

/** The sum of both legs' scaled scores, the vectors' with this weight, the words' with the rest. */
export function scaled(run: LegRuns, weight: number, scale: Scale): Found[] {
	const texts = new Map(run.text.map(({ id, score }) => [id, score]));
	const cosines = new Map([...run.vector.map(({ id, score }) => [id, score] as const), ...run.cosines]);
	const ids = [...new Set([...texts.keys(), ...cosines.keys()])];
	const of = (scores: ReadonlyMap<string, number>, leg: "text" | "vector") => {
		const { floor, span } = scale([...scores.values()], leg);
		return (id: string) => ((scores.get(id) ?? floor) - floor) / (span > 0 ? span : 1);
	};
	const [byText, byVector] = [of(texts, "text"), of(cosines, "vector")];
	return best(new Map(ids.map((id) => [id, (1 - weight) * byText(id) + weight * byVector(id)])));
}

/** Cosines of passages mixed with those of their descriptors. */
export function withDescriptors({ vector, descriptors }: LegRuns): Found[] {
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

export function withDescriptorText(run: LegRuns): Found[] {
	const described = sharesOf(run.descriptors.text, 0);
	const scores = new Map(fused(run, run).map(({ id, score }) => [id, 0.9 * score]));
	for (const [id, share] of described) scores.set(id, (scores.get(id) ?? 0) + 0.1 * share);
	return best(scores);
}

export function reciprocalRanks({ text, vector }: LegRuns): Found[] {
	const scores = new Map<string, number>();
	for (const found of [text, vector])
		for (const [index, { id }] of found.entries())
			scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + index + 1));
	return best(scores);
}

/** A leg with few good matches is surer than one with many. */
export function weightByPeaks({ text, vector, typicalCosine }: LegRuns): number {
	const [a, b] = [peakOf(sharesOf(text, 0)), peakOf(sharesOf(vector, typicalCosine))];
	return Math.min(0.6, Math.max(0.1, (0.7 * b) / (a + b + 1e-9)));
}

function peakOf(shares: ReadonlyMap<string, number>): number {
	const followers = [...shares.values()].slice(1, 11);
	return 1 - followers.reduce((sum, share) => sum + share, 0) / Math.max(1, followers.length);
}

export function weightByAgreement({ text, vector }: LegRuns): number {
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
