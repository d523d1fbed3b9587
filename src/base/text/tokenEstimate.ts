/** What a token is taken to be where no model counts: English prose. */
export const CHARACTERS_PER_TOKEN = 4;
