import { englishStem } from "../../../base/language/englishStem.ts";
import { unitOf } from "../../../base/quantities/units.ts";
import { wordList, wordSet } from "../../../base/words/wordList.ts";
import { type Scale, scaleNaming } from "./scales.ts";

export interface Totaled {
	readonly isMean: boolean;
	/** Whether the question asks for a stock and not for a sum of events: "How many beds do we have?" */
	readonly isStock: boolean;
	/** As `isStock`, but also true for questions with words for a sum: "How many beds do we have in total?" */
	readonly isHad: boolean;
	readonly isSpent: boolean;
	readonly scale?: Scale;
	/** Stems of verbs such as "spend", which do not restrict the rows. */
	readonly heeded: readonly string[];
	/** Words such as "total", which may also name a column. */
	readonly adding: readonly string[];
	readonly unit?: { readonly word: string; readonly dimension: string };
}

const OPENING =
	/^(?:how (?:much|many|high|long|far)|what|wie ?(?:viele?|hoch|lange|weit)|was|(?:give|tell|show)(?: me| us)?|(?:the |our |my )?(?:total|average|mean|sum))(?= )/;

const MEAN = wordSet(
	"average mean durchschnitts durchschnitt durchschnittlich durchschnittliche durchschnittlichen mittlere schnitt",
);
const TOTAL = wordSet(
	"total sum altogether overall combined together insgesamt gesamt gesamte zusammen summe",
);

/** Splits German compounds such as `Gesamtkosten`. */
const JOINED = /(?<!\p{L})(gesamt|durchschnitts)(?=\p{L}{4})/gu;

/** Words that do not describe the values to add up. */
const ASKING = wordSet("how much many money high wie viel viele vielen hoch geld all every each alle aller");

const COUNTED = /\b(?:number|count|anzahl|times)\b/;

const PAYING = wordList(
	"spend spent pay paid earn give gave given get got raised collect receive donate come came ausgegeben bezahlt gezahlt verdient eingenommen gespendet gekostet",
).map(englishStem);
const COVERING = wordList(
	"travel drive drove driven walk run ran ride rode ridden hike cycle cover work last gefahren gelaufen gewandert gearbeitet",
).map(englishStem);

/** "What did the tools cost?" asks for a sum, unlike "what do they cost?" */
const COST = /\bdid\b.*\bcost$/;

const HAPPENED =
	/\b(?:did|wurden?|worden)\b|\b(?:was|were) (?:\w+ )*(?!open)\w+(?:ed|en|wn|ght|nt|ld)\b|^(?!.*\bdo(?:es)?\b).*\b(?:have|has) \w+(?: \w+)*? \w+(?:ed|en|t|n|d)\b|\b\w*ge\w+(?:t|en)$/;

/** Questions about a stock: "How many members did we have?" */
const HAVING = /\bd(?:o|oes|id)\b.*\bhave\b|\bthere\b/;

const MANY = /^(?:how many|wie ?viele)\b/;
const WITH_UNIT = /^(?:how many|wie ?viele?)\b/;
const MUCH = /^(?:how much|wie ?viel)\b/;

export function addingIn(words: readonly string[]): string[] {
	// Excludes the verb: "What does it mean?"
	const isVerb = (word: string, index: number) => word === "mean" && words[index - 1] !== "the";
	return words.filter((word, index) => (MEAN.has(word) || TOTAL.has(word)) && !isVerb(word, index));
}

/** The requested sum or mean, and the words (from `nameWords`) that describe its values and rows. */
export function totaledIn(
	asked: readonly string[],
): { readonly totaled: Totaled; readonly words: string[] } | undefined {
	const all = asked.join(" ").replace(JOINED, "$1 ").split(" ");
	const text = all.join(" ");
	const adding = addingIn(all);
	const isMean = adding.some((word) => MEAN.has(word));
	const isSpent = saysPaid(text, all);
	const isOfMany = MANY.test(text);
	const isAsked = isSpent || isOfMany || adding.length > 0;
	if (!isAsked || !OPENING.test(text) || (!isMean && COUNTED.test(text))) return undefined;
	const idle = new Set([...adding, ...ASKING, ...(isMean ? ["number"] : [])]);
	const words = all.filter((word) => !idle.has(word));
	const { unit } = WITH_UNIT.test(text) ? unitIn(words) : {};
	const isHad = !isSpent && isOfState(text);
	const totaled = { isMean, isSpent, isHad, adding: isOfMany ? [] : adding, ...scaleIn(text, words) };
	const isStock = isHad && adding.length === 0;
	return unit
		? { totaled: { ...totaled, isStock, unit, heeded: COVERING }, words: words.slice(1) }
		: { totaled: { ...totaled, isStock, heeded: PAYING }, words };
}

function saysPaid(text: string, words: readonly string[]): boolean {
	return COST.test(text) || words.some((word) => PAYING.includes(englishStem(word)));
}

function isOfState(text: string): boolean {
	return !HAPPENED.test(text) || HAVING.test(text);
}

function unitIn([word = ""]: readonly string[]): Pick<Totaled, "unit"> {
	const unit = unitOf(word);
	return unit ? { unit: { word, dimension: unit.dimension } } : {};
}

/** The scale that the words name. If there is none, "how much" asks for money. */
function scaleIn(text: string, words: readonly string[]): Pick<Totaled, "scale"> {
	const named = words.map((word) => scaleNaming(englishStem(word))).find((scale) => scale !== undefined);
	const scale = named ?? (MUCH.test(text) ? scaleNaming("price") : undefined);
	return scale ? { scale } : {};
}
