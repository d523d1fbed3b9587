/** A passage found by one leg of the search. Higher scores are better, but only comparable within a leg. */
export interface Match {
	/** Argument for `read`. A rewritten passage gets another row. */
	readonly row: number;
	readonly score: number;
	/** Whether the passage is in another language than the query, so that missing words mean little. */
	readonly isForeign?: true;
	/** Share of an English query that a match by words has, 1 for all words. Absent for other queries. */
	readonly share?: number;
}

/** Minimum share of the query for a match by words alone. Measured in docs/experiments.md. */
export const LEAST_SHARE = 0.35;

export interface TextMatches {
	readonly matches: readonly Match[];
	/** Number of passages with every word of the query except function words. */
	readonly total: number;
	readonly isAtLeast?: boolean;
	/** Estimate of `total` from the rarity of a single term whose passages were not all counted. */
	readonly estimate?: number;
}

/** What is known about a passage without its text. */
export interface PassageTopic {
	readonly resource?: string | undefined;
}
