import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as english } from "stemmer";
import { memoize } from "../jobs/lazily.ts";
import { wordMap } from "../words/wordList.ts";
import { fold } from "../words/wordTable.ts";
import { type Language, OTHER_SCRIPTS } from "./languages.ts";

/** Snowball stemmers. The other languages have no Snowball stemmer or no inflection. */
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
	da: (word) => norwegian(danish(word)),
	fi: finnish,
	hu: hungarian,
	// The Romanian stemmer uses letters from before Unicode 3.0.
	ro: (word) => romanian(word.replaceAll("ș", "ş").replaceAll("ț", "ţ")),
	el: greek,
	ar: arabic,
	hi: hindi,
};

/** Letters with diacritics that CLDR sorts as separate letters. Languages not listed keep all diacritics. */
const LETTERS = wordMap(`
	en= de= fr= es=ñ it= pt= nl= pl=ąćęłńóśźż cs=čřšž sv=åäö tr=çğıöşü da=åæø fi=åäö hu=öőüű ro= el= ar=
`);

const LATIN = /^\p{Script=Latin}/u;

/** Maximum number of cached words per language; a full cache is cleared. */
const MOST_STEMS = 65_536;

const stemsOf = memoize((language: Language) =>
	memoize((word: string) => findStem(word, language), MOST_STEMS),
);

/** Term that represents all forms of a word in lower case. Cached, because few distinct words make up most names. */
export function stemOf(word: string, language: Language): string {
	return stemsOf(language)(word);
}

function findStem(word: string, language: Language): string {
	const rules = rulesFor(word, language);
	const stem = bare(word, rules);
	const kept = LETTERS.get(rules);
	if (kept === undefined) return stem;
	if (kept === "") return fold(stem);
	return Array.from(stem, (letter) => (kept.includes(letter) ? letter : fold(letter))).join("");
}

/** Stems of this length or less are not stemmed again. */
const SHORT_STEM = 4;

/** Stems until nothing changes, because the rules remove some endings only from some forms of a word. */
function bare(word: string, rules: Language): string {
	const stem = STEMMERS[rules]?.(word) ?? word;
	return rules === "en" || stem.length >= word.length || stem.length <= SHORT_STEM ? stem : bare(stem, rules);
}

/** English rules apply to Latin words in other scripts, which are mostly names and technical terms. */
function rulesFor(word: string, language: Language): Language {
	return OTHER_SCRIPTS.has(language) && LATIN.test(word) ? "en" : language;
}

/** Maximum letters that a search compares, to ignore last parts of compounds and endings without a rule. */
const MOST_LETTERS = 8;
/** Maximum letters that a search compares in languages without a stemmer. */
const MOST_WITHOUT_RULES = 6;

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;

/** Prefix of the stem, so that a search finds more forms. English stems and codes with digits stay whole. */
export function searchStemOf(word: string, language: Language): string {
	const stem = stemOf(word, language);
	const rules = rulesFor(word, language);
	const most = STEMMERS[rules] ? MOST_LETTERS : MOST_WITHOUT_RULES;
	if (rules === "en" || stem.length <= most || !LETTERS_ONLY.test(stem)) return stem;
	return Array.from(stem).slice(0, most).join("");
}
