/** A passage that a leg found; higher scores are better, comparable within one leg only. */
export interface Match {
	/** For `read`; a passage that was written again is another row. */
	readonly row: number;
	readonly score: number;
	/** The passage is in another language than the query: that words are missing in it says little. */
	readonly isForeign?: true;
	/** For a match by words: its share of the query, 1 for all of it in a passage of usual length. Absent if the query is not in English: the weights are unknown. */
	readonly share?: number;
}

/** The share of the query that a passage must have to match it by its words alone. Measured in docs/experiments.md. */
export const LEAST_SHARE = 0.35;

export interface TextMatches {
	/** Best first. */
	readonly matches: readonly Match[];
	/** Number of passages with every word of the query, its words of grammar aside. */
	readonly total: number;
	/** Whether there may be more than `total`: not all were counted. */
	readonly isAtLeast?: boolean;
	/** If not all were counted for a single term: an estimate of the total, by its rarity. */
	readonly estimate?: number;
}

/** What is known of a passage without its text. */
export interface PassageTopic {
	readonly resource?: string | undefined;
}
