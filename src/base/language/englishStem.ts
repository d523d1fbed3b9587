import { stemmer } from "stemmer";
import { memoize } from "../jobs/lazily.ts";

/** Words that are remembered: those of a large graph's names. */
const MOST_WORDS = 20_000;

/** Porter's stem of an English word in small letters. */
export const englishStem = memoize(stemmer, MOST_WORDS);
