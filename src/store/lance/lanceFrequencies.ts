import type { Vector } from "apache-arrow";
import { createPacer } from "../../base/jobs/pacer.ts";
import type { Snapshot } from "../database/database.ts";
import { createSampleReader } from "./lanceSample.ts";

/** A term in fewer passages of the sample is asked for: its idf would be wrong by more than a twentieth. */
const LEAST = 30;

/** The part of the passages that have a term; `undefined` for one that few have, and while none is known. */
export type Frequencies = (term: string) => number | undefined;

/**
 * Tells of frequent terms how many passages have them, out of 20,000: LanceDB would take a search for each. The first
 * answer does not wait for that.
 */
export function createFrequencies(): (snapshot: Snapshot) => Frequencies {
	const read = createSampleReader({ column: "terms", rows: 20_000, run: 25, tell: sharesIn });
	let isAsked = false;
	let shares: ReadonlyMap<string, number> = new Map();
	return (snapshot) => {
		if (isAsked)
			read(snapshot).then(
				(told) => {
					shares = told;
				},
				// It is read again by the next question.
				() => undefined,
			);
		isAsked = true;
		return (term) => shares.get(term);
	};
}

/** Others have their turn meanwhile. */
async function sharesIn(passages: Vector): Promise<ReadonlyMap<string, number>> {
	const pacer = createPacer();
	const counts = new Map<string, number>();
	for (const terms of passages) {
		for (const term of new Set(String(terms).split(" "))) counts.set(term, (counts.get(term) ?? 0) + 1);
		if (pacer.isDue) await pacer.rest();
	}
	const frequent = [...counts].filter(([, count]) => count >= LEAST);
	return new Map(frequent.map(([term, count]) => [term, count / passages.length]));
}
