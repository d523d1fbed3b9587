import { measureOf } from "../../base/quantities/measure.ts";
import { wordSet } from "../../base/words/wordList.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { isYearLike } from "./gauge.ts";
import { isPlural } from "./vocabulary.ts";

/** Openings of questions, each with a test of whether a value can be the answer. */
const ASKING: readonly (readonly [begin: RegExp, fits: (value: string) => boolean])[] = [
	[/^(?:whom?|whose|wer|wessen) /, (value) => !/\d/.test(value)],
	[/^(?:where|wo|wohin|woher) /, (value) => measureOf(value) === undefined],
	[/^(?:when|wann|(?:in |im )?(?:what|which|welche[mns]) (?:year|jahr)) /, (value) => isDated(value)],
	[
		/^(?:how (?:much|many|long|tall|high|old|far|big)|wie (?:viele?|hoch|alt|lang|weit)) /,
		(value) => measureOf(value) !== undefined,
	],
	[/^(?:\p{L}{2,5} )?(?:what|which|welche[rmns]|was (?:ist|war)) /u, () => true],
];

const FURTHER = wordSet(
	"all both every each any no not nor never without except only other else than more less most least or",
);

const SEVERAL = /^(?:are|were|sind|waren)$/;

function isDated(value: string): boolean {
	const measure = measureOf(value);
	return measure?.dimension === "date" || (measure?.dimension === "" && isYearLike(measure));
}

/**
 * Describes the answer that a question expects: `fits` tests a value, and `kind` is the index of a noun such as "city"
 * in "which city", or 0. `undefined` if a path cannot answer the question.
 */
export function askedOnPath(words: readonly string[]) {
	const [, fits] = ASKING.find(([begin]) => begin.test(`${words.join(" ")} `)) ?? [];
	const kind = kindIn(words);
	if (!fits || kind === undefined || words.some((word) => FURTHER.has(word))) return undefined;
	return { fits, kind };
}

/** Index of the noun after "which"; 0 if there is none, `undefined` if the question asks for several things. */
function kindIn(words: readonly string[]): number | undefined {
	const after = 1 + words.findIndex((word) => /^(?:what|which|welche[rmns]?)$/.test(word));
	const next = words[after] ?? "";
	if (after === 0) return 0;
	if (isFunctionWord(next)) return SEVERAL.test(next) ? undefined : 0;
	return isPlural([next]) ? undefined : after;
}
