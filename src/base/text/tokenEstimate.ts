/** Estimate for English prose, for when no model counts the tokens. */
export const CHARACTERS_PER_TOKEN = 4;
