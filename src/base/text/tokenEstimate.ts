/** Estimate for English prose, used if no model counts the tokens. */
export const CHARACTERS_PER_TOKEN = 4;
