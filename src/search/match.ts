/** A passage found by one leg of the search. Higher scores are better, but comparable within the leg only. */
export interface Match {
	/** Argument for `read`; a rewritten passage gets another row. */
	readonly row: number;
	readonly score: number;
	/** The passage is in another language than the query, so missing words mean little. */
	readonly isForeign?: true;
	/** Share of the query that a match by words has; 1 for all of it at average length. Absent unless the query is in English: other weights are unknown. */
	readonly share?: number;
}

/** The share of the query that a passage must have to match it by its words alone. Measured in docs/experiments.md. */
export const LEAST_SHARE = 0.35;

export interface TextMatches {
	/** Best first. */
	readonly matches: readonly Match[];
	/** Number of passages with every word of the query except function words. */
	readonly total: number;
	/** Whether `total` is a lower bound, because not all were counted. */
	readonly isAtLeast?: boolean;
	/** Estimate of the total by the rarity of a single term whose passages were not all counted. */
	readonly estimate?: number;
}

/** The topic of a passage, known without its text. */
export interface PassageTopic {
	readonly resource?: string | undefined;
}
