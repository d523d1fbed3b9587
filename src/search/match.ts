/** A passage that a leg found; higher scores are better, comparable within one leg only. */
export interface Match {
	/** For `read`; a passage that was written again is another row. */
	readonly row: number;
	readonly score: number;
	/** The passage is in another language than the query: that words are missing in it says little. */
	readonly isForeign?: true;
}

export interface TextMatches {
	/** Best first. */
	readonly matches: readonly Match[];
	/** How many passages have a word of the query. */
	readonly total: number;
}
