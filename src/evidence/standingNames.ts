import { englishStem } from "../base/language/englishStem.ts";
import { GIVEN_NAMES } from "../base/words/givenNames.ts";
import { wordMap } from "../base/words/wordList.ts";
import type { WrittenName } from "./names.ts";
import { fold, type SourceText, squeeze, TELLING_LETTERS, wordsIn } from "./sourceText.ts";

/** Short forms that do not begin like the long one, or are written without a full stop. */
const SHORT_FORMS = wordMap(
	"st=saint street=st road=rd avenue=ave straße=str mt=mount ltd=limited dept=department mgmt=management intl=international govt=government",
);

/** A name in its sentence. */
export interface SaidName {
	readonly name: WrittenName;
	/** Whether the lines are in another language: names of places and events are translated there, those of people are not. */
	readonly isForeign: boolean;
	/** Whether nouns have capitals in the language of the sentence, so that a part of a name may be one. */
	readonly isGerman: boolean;
}

/** Whether the lines and their title have a name, or cannot decide it. */
export function standsName(said: SaidName, source: SourceText): boolean {
	const { name, isForeign, isGerman } = said;
	const missing = name.words.filter((word) => !standsWord(word, source));
	if (missing.length === name.words.length) return isForeign && !name.isFixed;
	if (name.words.length === 1) return true;
	if (isMixed(name, missing, source, isForeign)) return false;
	return missing.length === 0 || isForeign || isGerman;
}

/** Whether two neighboring words of a name are beside others in the lines, as in a given name with another's surname. */
function isMixed(
	{ words: all }: WrittenName,
	missing: readonly string[],
	source: SourceText,
	isStrict: boolean,
) {
	const words = all.filter((word) => word.length > 1);
	const pairs = words.slice(1).map((second, at) => [words[at] ?? "", second] as const);
	return pairs.some(([first, second]) => {
		const isGone = missing.includes(first);
		if (isTogether(first, second, source)) return false;
		if (isGone && isNamesake(first, second, source)) return true;
		if (isStrict && isGone && !GIVEN_NAMES.has(first) && !UNTRANSLATED.test(second)) return false;
		return (
			!(isGone && missing.includes(second)) &&
			isBeside(missing, source, first, 1) &&
			isBeside(missing, source, second, -1)
		);
	});
}

function isTogether(first: string, second: string, { capitalized }: SourceText): boolean {
	const [left, right] = [fold(first), fold(second)];
	return capitalized.some((run) => run.includes(right) && run.some((word) => isSameName(word, left)));
}

/** Whether a given name precedes a surname that has another given name somewhere. */
function isNamesake(given: string, surname: string, { capitalized }: SourceText): boolean {
	const before = capitalized.map((run) => run[run.indexOf(fold(surname)) - 1] ?? "");
	return (
		GIVEN_NAMES.has(given) &&
		before.some((word) => GIVEN_NAMES.has(word.charAt(0).toUpperCase() + word.slice(1)))
	);
}

/** Whether a word is missing, or has a capitalized neighbor on that side wherever it has a capital. */
function isBeside(missing: readonly string[], { capitalized }: SourceText, word: string, side: number) {
	const own = capitalized.filter((run) => run.includes(fold(word)));
	const isBetween = own.length > 0 && own.every((run) => run[run.indexOf(fold(word)) + side] !== undefined);
	return missing.includes(word) || isBetween;
}

/** Words of names that are written the same in English and in German lines. */
const UNTRANSLATED =
	/^(?:University|College|School|Corporation|Company|County|River|Street|Road|Park|Bridge|Museum|Hotel|GmbH|AG|Inc|Ltd)$/;

/** Also as an initial. */
function isSameName(one: string, other: string): boolean {
	return one === other || (Math.min(one.length, other.length) === 1 && one[0] === other[0]);
}

function standsWord(word: string, source: SourceText): boolean {
	const plain = squeeze(word);
	if (plain.length === 1) return source.words.some((other) => other.startsWith(plain));
	if (plain.length >= TELLING_LETTERS && source.squeezed.includes(plain)) return true;
	const long = SHORT_FORMS.get(plain);
	if (long !== undefined && source.words.includes(long)) return true;
	return wordsIn(word).every((part) => source.stems.has(englishStem(part)));
}
