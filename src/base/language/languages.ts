import { FUNCTION_WORDS } from "./functionWords.ts";

export type Language = keyof typeof FUNCTION_WORDS;

/** The languages whose words are read by their own rules, by their codes in BCP 47. Norwegian is read with Danish. */
export const LANGUAGES = Object.keys(FUNCTION_WORDS) as readonly Language[];

/** Languages that are not written in Latin letters. */
export const OTHER_SCRIPTS = new Set<Language>(["ru", "uk", "zh", "ja", "ko", "th", "el", "ar", "hi"]);
