import { datesIn } from "../../base/quantities/dates.ts";
import { type Measure, MONEY, measureOf } from "../../base/quantities/measure.ts";
import { quantitiesIn } from "../../base/quantities/quantities.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import type { Form, Gauge, Limit, Measured } from "./task.ts";
import { type ScaleWord, scaleOf } from "./words/scales.ts";

const COMPARATORS: readonly (readonly [words: string, isAbove: boolean, isInclusive: boolean])[] = [
	["at least|no less than|not less than|from|since|mindestens|ab|seit", true, true],
	["at most|no more than|not more than|up to|until|höchstens|maximal|bis(?: zu)?", false, true],
	["more than|greater than|over|above|after|exceeding|mehr als|über|nach", true, false],
	["less than|fewer than|under|below|before|weniger als|unter|vor", false, false],
];

const COMPARING = new RegExp(
	`(?<!\\p{L})(?:${COMPARATORS.map(([words]) => `(${words})`).join("|")}|(?:more )?(\\p{L}+) (?:than|als))\\s+(?:(?:the|de[mnr])\\s+)?(?=[\\p{Sc}\\d]|\\p{Lu}\\p{L}+ \\d)`,
	"giu",
);

/** Limits whose comparing word follows the value: "100 pounds or more". */
const OR_MORE =
	/(?<value>[\p{Sc}]?\d[\d.,]*(?:\s?\p{Sc}|\s\p{L}+)?)\s+(?:or|and|oder|und)\s+(?:(?<more>more|above|over|higher|later|mehr|höher|darüber|später)|less|fewer|below|under|lower|earlier|weniger|darunter|früher)(?!\p{L})(?!\s+(?:than\s+)?[\p{Sc}\d])/giu;

export function limitsIn(asked: string): { readonly limits: readonly Limit[]; readonly rest: string } {
	const question = asked.replace(
		OR_MORE,
		(_all, value: string, more: string | undefined) =>
			`${more === undefined ? "at most" : "at least"} ${value}`,
	);
	const limits: Limit[] = [];
	let [rest, from] = ["", 0];
	for (const match of question.matchAll(COMPARING)) {
		if (match.index < from) continue;
		const start = match.index + match[0].length;
		const written = valueAt(question.slice(start));
		const measure = measureOf(written);
		const kind = kindOf(match.slice(1));
		if (!measure || !kind) continue;
		const before = question.slice(from, match.index);
		limits.push({ ...kind, measure, written: written.trim(), words: nameWords(before) });
		rest += `${before} `;
		from = start + written.length;
	}
	return { limits, rest: rest + question.slice(from) };
}

function valueAt(text: string): string {
	const [date] = datesIn(text);
	if (date?.offset === 0) return date.written;
	const [quantity] = quantitiesIn(text);
	return quantity?.offset === 0 ? quantity.written : "";
}

function kindOf(
	groups: readonly (string | undefined)[],
): Omit<Limit, "measure" | "written" | "words"> | undefined {
	const index = groups.findIndex((group) => group !== undefined);
	const [, isAbove = false, isInclusive = false] = COMPARATORS[index] ?? [];
	if (index < COMPARATORS.length) return { isAbove, isInclusive };
	const found = scaleOf(nameWords(groups[index] ?? "")[0] ?? "");
	if (!found) return undefined;
	const { scale, isLeast } = found;
	// In the scale of dates, "newer" means more, so that "newer than" means after a date.
	return { isAbove: !isLeast, isInclusive: false, scale };
}

const YEAR_DAYS = 366;

/** Returns `undefined` if the values cannot be compared with the limit. */
export function within({ values, dimension }: Gauge, limit: Limit): readonly Measured[] | undefined {
	const { isAbove, isInclusive, measure } = limit;
	const range = rangeOf(measure, dimension);
	if (!range) return undefined;
	const [first, last] = range;
	return values.filter(({ measure: { value } }) => {
		if (isAbove) return isInclusive ? value >= first : value > last;
		return isInclusive ? value <= last : value < first;
	});
}

/** The first and last value that the limit means (days of a year); `undefined` if the dimensions differ. */
function rangeOf({ dimension, value }: Measure, wanted: string): readonly [number, number] | undefined {
	if (dimension === wanted) return [value, value];
	if (dimension !== "" && wanted !== "") return undefined;
	// A number without a unit can mean any amount of money, but not of other dimensions.
	if (wanted !== "date") return MONEY.includes(dimension + wanted) ? [value, value] : undefined;
	if (!Number.isInteger(value) || value < 1000 || value > 2100) return undefined;
	const dayOf = (year: number) => Date.UTC(year, 0, 1) / 86_400_000;
	return [dayOf(value), dayOf(value) + Math.min(YEAR_DAYS, dayOf(value + 1) - dayOf(value)) - 1];
}

const BARE =
	/^(?!(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|must|may|if)\b)(?:(?:the|our|my) )?/;

const WHO = /^who (?:else )?(?:(?:is|are|was|were|has|have|had) )?/;

const OPENINGS: readonly (Partial<Form> & {
	readonly opening: RegExp;
	readonly needsOrder?: true;
})[] = [
	{
		opening:
			/^(?:(?:and|so|please|tell me|can you tell me) )*how many (?:of (?:the|our|all|these) )?(?:different |distinct )?/,
		isCount: true,
	},
	{
		opening: /^(?:what (?:is|s) the |the )?(?:total )?(?:number|count) of (?:all )?(?:the )?/,
		isCount: true,
	},
	{ opening: /^count (?:all )?(?:the )?(?:of )?/, isCount: true },
	{
		opening:
			/^(?:please )?(?:list|enumerate|name|show|give)(?: me)? (?:a list of |the list of )?(?:all|every|each)(?: of)? (?:the |our )?/,
	},
	{ opening: /^(?:please )?(?:list|enumerate)(?: me)? (?:the |our )?/ },
	{ opening: /^(?:please )?(?:show|give|tell)(?: me)? (?:the |our )/, needsPlural: true },
	{ opening: /^(?:what|who) (?:are|were) all (?:of )?(?:the |our )?/ },
	{ opening: /^(?:are|were) there (?:any )?/, needsPlural: true },
	{ opening: /^(?:which|what|who) (?:(?:is|was|are|were) )?(?:of )?(?:the |our |your )?/, needsOrder: true },
	{ opening: /^who (?:are|were) (?:the |our )?/, needsPlural: true },
	{ opening: /^all (?:of )?(?:the |our )?/, needsPlural: true },
	{ opening: /^(?:which|what) (?:(?:are|were|of) (?:the|our|my|your) )?/, needsPlural: true },
	{ opening: /^who /, isAnyone: true, needsOrder: true },
	{ opening: /^(?:who|what) /, isOpen: true },
	{ opening: WHO, isWho: true, needsOrder: true },
	{ opening: WHO, isWho: true },
	{ opening: BARE, isBare: true, needsOrder: true },
	{ opening: BARE, isBare: true, needsPlural: true },
];

const PREPOSITION = /^(?:in|on|at|from|for|to|by|with|under|of) (?=(?:which|what) )/;

const HAPPENING = /\b(?:takes?|took) place\b/;

/** Possible forms of an English question, likeliest first; empty if no list, number or extreme is asked for. */
export function formsOf(question: string): Form[] {
	const { limits, rest } = limitsIn(question);
	const text = nameWords(rest).join(" ").replace(PREPOSITION, "").replace(HAPPENING, "are");
	return OPENINGS.flatMap(({ opening, needsOrder, ...asked }) => {
		const [begin] = opening.exec(text) ?? [];
		if (begin === undefined) return [];
		const words = text.slice(begin.length).split(" ").filter(Boolean);
		const found = needsOrder ? ordered(words) : { words };
		return found ? [{ ...asked, ...found, limits }] : [];
	});
}

/** Words that form a superlative with the next word: "most expensive". */
const MORE = new Set(["most", "least", "am"]);

/** Splits words into a superlative's order and the other words; `undefined` if there is no superlative. */
export function ordered(
	words: readonly string[],
): { readonly words: string[]; readonly order: ScaleWord } | undefined {
	const at = words.findIndex((_, index) => orderAt(words, index) !== undefined);
	const found = orderAt(words, at);
	if (!found) return undefined;
	const { order, length } = found;
	const before = words[at - 1] ?? "";
	if (!/^[1-9]\d?$/.test(before)) return { words: withoutOrder(words, at, length), order };
	return { words: withoutOrder(words, at - 1, length + 1), order: { ...order, count: Number(before) } };
}

function orderAt(
	words: readonly string[],
	index: number,
): { readonly order: ScaleWord; readonly length: number } | undefined {
	const word = words[index] ?? "";
	const next = MORE.has(word) ? scaleOf(words[index + 1] ?? "") : undefined;
	if (next) {
		const isLeast = next.isLeast !== (word === "least");
		return { order: { ...next, isLeast, word }, length: 2 };
	}
	if (LAST.test(word) && PERIOD.test(words[index + 1] ?? "")) return undefined;
	const own = isExtreme(word, words[index - 1], words[index - 2]) ? scaleOf(word) : undefined;
	return own && { order: { ...own, word, next: words.slice(index + 1, index + 3) }, length: 1 };
}

export function extremesIn(words: readonly string[]): ScaleWord[] {
	return words.filter((word) => isExtreme(word)).flatMap((word) => scaleOf(word) ?? []);
}

/** Verbs that mean no more than "has" before "the most": "which room gets the most sun". */
const TAKING = /^(?:takes?|took|gets?|got|needs?|needed)$/;

function withoutOrder(words: readonly string[], index: number, count: number): string[] {
	const verb = words[index - 1] === "the" ? index - 2 : index - 1;
	return words
		.toSpliced(index, count)
		.filter((word, at) => (word !== "the" || at > 0) && !(at === verb && TAKING.test(word)));
}

const BOUND = /^(?:min|max|minimum|maximum)$/;
const BEFORE_BOUND = /^(?:the|de[rnm]|die|das)$/;
const BESIDE_BOUND = /^(?:below|under|above|over|unter|uber)$/;

/** "Last" before a period means a date: "last month" asks for no order. */
const LAST = /^(?:last|letzte[mnrs]?)$/;
const PERIOD =
	/^(?:years?|months?|weeks?|weekend|days?|night|quarter|jahre?|monate?|woche|wochenende|nacht|quartal)$/;

/** Whether a word is a superlative or "the minimum": "expensive" is not, and "a minimum age" is a property. */
function isExtreme(word: string, before = "", beside = ""): boolean {
	if (BOUND.test(word)) return BEFORE_BOUND.test(before) && !BESIDE_BOUND.test(beside);
	return /(?:est|st(?:e[nrs]?)?|te[nrs]?)$/.test(word) || /^(?:first|last|recent|most)$/.test(word);
}
