import { memoize } from "../jobs/lazily.ts";
import { wordList } from "../words/wordList.ts";
import { localNameOf } from "./vocabulary.ts";

/** What a property that names its subject is called, the best first, in whatever vocabulary. */
const NAMING = wordList(
	"name label preflabel title headline fn legalname hasname fullname displayname officialname commonname productname itemname companyname",
);

const placeOf = memoize((property: string) => NAMING.indexOf(localNameOf(property).toLowerCase()), 10_000);

export function isNaming(property: string): boolean {
	return placeOf(property) >= 0;
}

/** How good a naming property and its value are; the lowest is the best. A text without a language or in English goes before others. */
export function namingRank(property: string, language = "en"): number {
	return placeOf(property) * 2 + (language.startsWith("en") ? 0 : 1);
}
