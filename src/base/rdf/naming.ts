import { memoize } from "../jobs/lazily.ts";
import { wordList } from "../words/wordList.ts";
import { localNameOf } from "./vocabulary.ts";

/** Local names of properties that name their subject, in any vocabulary, best first. */
const NAMING = wordList(
	"name label preflabel title headline fn legalname hasname fullname displayname officialname commonname productname itemname companyname",
);

const placeOf = memoize((property: string) => NAMING.indexOf(localNameOf(property).toLowerCase()), 10_000);

export function isNaming(property: string): boolean {
	return placeOf(property) >= 0;
}

/** Rank of a naming property and its value's language; lower is better. English and untagged texts come first. */
export function namingRank(property: string, language = "en"): number {
	return placeOf(property) * 2 + (language.startsWith("en") ? 0 : 1);
}
