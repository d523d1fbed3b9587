import { stemmer } from "stemmer";
import { memoize } from "../jobs/lazily.ts";

/** Words that are remembered: those of a large graph's names, and the frequent ones of texts. */
const MOST_WORDS = 50_000;

/** Porter's stem of an English word in small letters. */
export const englishStem = memoize(stemmer, MOST_WORDS);
