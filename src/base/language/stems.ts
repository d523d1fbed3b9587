import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as english } from "stemmer";
import { fold } from "../words/wordTable.ts";
import type { Language } from "./languages.ts";

/** Those of the Snowball project; other languages have none there, or no inflection. */
const STEMMERS: Readonly<Partial<Record<Language, (word: string) => string>>> = {
	en: english,
	de: german,
	fr: french,
	es: spanish,
	it: italian,
	pt: portuguese,
	nl: dutch,
	ru: russian,
	sv: swedish,
	tr: turkish,
};

/** Letters with diacritics that CLDR collates as letters of their own. Missing languages keep all diacritics. */
const LETTERS: Readonly<Partial<Record<Language, string>>> = {
	en: "",
	de: "",
	fr: "",
	es: "ñ",
	it: "",
	pt: "",
	nl: "",
	pl: "ąćęłńóśźż",
	cs: "čřšž",
	sv: "åäö",
	tr: "çğıöşü",
};

const OTHER_SCRIPTS: ReadonlySet<Language> = new Set(["ru", "uk", "zh", "ja", "ko", "th"]);
const LATIN = /^\p{Script=Latin}/u;

/** Words that are remembered with their stems, in each language; then it begins anew. */
const MOST_STEMS = 65_536;

const known = new Map<Language, Map<string, string>>();

/** The term that stands for all forms of a word, which is in lower case. Names are made of few words: each is looked at once. */
export function stemOf(word: string, language: Language): string {
	const stems = known.get(language) ?? new Map<string, string>();
	known.set(language, stems);
	const before = stems.get(word);
	if (before !== undefined) return before;
	if (stems.size === MOST_STEMS) stems.clear();
	const stem = findStem(word, language);
	stems.set(word, stem);
	return stem;
}

function findStem(word: string, language: Language): string {
	// Names and technical words in Latin letters are the same in a text of another script.
	const rules = OTHER_SCRIPTS.has(language) && LATIN.test(word) ? "en" : language;
	const stem = STEMMERS[rules]?.(word) ?? word;
	const kept = LETTERS[rules];
	if (kept === undefined) return stem;
	if (kept === "") return fold(stem);
	return Array.from(stem, (letter) => (kept.includes(letter) ? letter : fold(letter))).join("");
}
