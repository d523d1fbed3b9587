import { englishStem } from "../../../base/language/englishStem.ts";
import { unitOf } from "../../../base/quantities/units.ts";
import { wordList } from "../../../base/words/wordList.ts";
import { type Scale, scaleNaming } from "./scales.ts";

/** What a question wants to have added up: "How much did we spend on groceries?" */
export interface Totaled {
	/** Whether it asks for the mean. */
	readonly isMean: boolean;
	/** Whether it asks for what there is, and not for what happened: "How many beds do we have?" */
	readonly isStock: boolean;
	readonly scale?: Scale;
	/** What it asks for in "how many kilometres". */
	readonly unit?: { readonly word: string; readonly dimension: string };
}

const OPENING =
	/^(?:how (?:much|many|high|long|far)|what|wie ?(?:viele?|hoch|lange|weit)|was|(?:give|tell|show)(?: me| us)?|(?:the |our |my )?(?:total|average|mean|sum))(?= )/;

const MEAN = new Set(
	wordList(
		"average mean durchschnitts durchschnitt durchschnittlich durchschnittliche durchschnittlichen mittlere schnitt",
	),
);
const TOTAL = new Set(
	wordList("total sum altogether overall combined together insgesamt gesamt gesamte zusammen summe"),
);

/** What German compounds begin with: `Gesamtkosten`. */
const JOINED = /(?<!\p{L})(gesamt|durchschnitts)(?=\p{L}{4})/gu;

/** Words that ask, and say nothing of what is added up. */
const ASKING = new Set(
	wordList("how much many money high wie viel viele vielen hoch geld all every each alle aller"),
);

/** A number of things is counted, and not added up. */
const COUNTED = /\b(?:number|count|anzahl|times)\b/;

const MONEY_VERB = /^(?:spen[dt]|pa(?:y|id)|earn(?:ed)?|ausgegeben|bezahlt|gezahlt|verdient|eingenommen)$/;

/** Something happened in the past. */
const HAPPENED =
	/\b(?:did|was|were|wurden?|worden)\b|^(?!.*\bdo(?:es)?\b).*\b(?:have|has) \w+(?: \w+)*? \w+(?:ed|en|t|n|d)\b|\b\w*ge\w+(?:t|en)$/;

/** What the words of a question, as `nameWords` gives them, ask to be added up, and its other words. */
export function totaledIn(
	asked: readonly string[],
): { readonly totaled: Totaled; readonly words: string[] } | undefined {
	const words = asked.join(" ").replace(JOINED, "$1 ").split(" ");
	const text = words.join(" ");
	if (!OPENING.test(text) || COUNTED.test(text)) return undefined;
	const has = (test: (word: string) => boolean) => words.some(test);
	const isMean = has((word) => MEAN.has(word));
	const isSure = isMean || has((word) => TOTAL.has(word) || MONEY_VERB.test(word));
	const isOfMany = /^(?:how many|wie ?viele)\b/.test(text);
	if (!isSure && !isOfMany) return undefined;
	const rest = words.filter((word) => !MEAN.has(word) && !TOTAL.has(word) && !ASKING.has(word));
	const [word = ""] = isOfMany ? rest : [];
	const unit = unitOf(word);
	const scale = scaleIn(text, rest);
	return {
		totaled: {
			isMean,
			isStock: !isSure && !HAPPENED.test(text),
			...(scale && { scale }),
			...(unit && { unit: { word, dimension: unit.dimension } }),
		},
		words: unit ? rest.slice(1) : rest,
	};
}

/** "How much" without anything else asks for money. */
function scaleIn(text: string, words: readonly string[]): Scale | undefined {
	const named = words.map((word) => scaleNaming(englishStem(word))).find((scale) => scale !== undefined);
	return named ?? (/^(?:how much|wie ?viel)\b/.test(text) ? scaleNaming("price") : undefined);
}
