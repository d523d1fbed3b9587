import { stemmer } from "stemmer";
import { memoize } from "../jobs/lazily.ts";

/** Maximum number of cached words, enough for the names of a large graph. */
const MOST_WORDS = 20_000;

export const englishStem = memoize(stemmer, MOST_WORDS);
