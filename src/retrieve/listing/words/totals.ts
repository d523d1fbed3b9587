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
	/** Whether it asks for what was paid. */
	readonly isSpent: boolean;
	readonly scale?: Scale;
	/** Words of it that may name a column, too: "total". */
	readonly adding: readonly string[];
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

/** "How many members did we have?" */
const HAVING = /\bd(?:o|oes|id)\b.*\bhave\b|\bthere\b/;

const MANY = /^(?:how many|wie ?viele)\b/;
const MUCH = /^(?:how much|wie ?viel)\b/;

/** The words that speak of a sum or a mean. */
export function addingIn(words: readonly string[]): string[] {
	// "What does it mean?"
	const isVerb = (word: string, index: number) => word === "mean" && words[index - 1] !== "the";
	return words.filter((word, index) => (MEAN.has(word) || TOTAL.has(word)) && !isVerb(word, index));
}

/** What the words of a question, as `nameWords` gives them, ask to be added up, and its other words. */
export function totaledIn(
	asked: readonly string[],
): { readonly totaled: Totaled; readonly words: string[] } | undefined {
	const all = asked.join(" ").replace(JOINED, "$1 ").split(" ");
	const text = all.join(" ");
	const adding = addingIn(all);
	const isMean = adding.some((word) => MEAN.has(word));
	const isSpent = all.some((word) => MONEY_VERB.test(word));
	const isSure = isSpent || adding.length > 0;
	const isOfMany = MANY.test(text);
	const isElse = !isMean && COUNTED.test(text);
	if (!OPENING.test(text) || isElse || !(isSure || isOfMany)) return undefined;
	const words = all.filter(
		(word) => !(adding.includes(word) || ASKING.has(word) || (isMean && COUNTED.test(word))),
	);
	const unit = isOfMany ? unitIn(words) : {};
	return {
		totaled: {
			...unit,
			isMean,
			isSpent,
			adding: isOfMany ? [] : adding,
			isStock: !isSure && (!HAPPENED.test(text) || HAVING.test(text)),
			...scaleIn(text, words),
		},
		words: "unit" in unit ? words.slice(1) : words,
	};
}

function unitIn([word = ""]: readonly string[]): Pick<Totaled, "unit"> {
	const unit = unitOf(word);
	return unit ? { unit: { word, dimension: unit.dimension } } : {};
}

/** "How much" without anything else asks for money. */
function scaleIn(text: string, words: readonly string[]): Pick<Totaled, "scale"> {
	const named = words.map((word) => scaleNaming(englishStem(word))).find((scale) => scale !== undefined);
	const scale = named ?? (MUCH.test(text) ? scaleNaming("price") : undefined);
	return scale ? { scale } : {};
}
