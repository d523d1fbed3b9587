import { unitPattern } from "../../../base/quantities/units.ts";

export interface Asking {
	/** Kinds of answers. The first kind that matches the question applies. */
	readonly kinds: readonly Kind[];
	readonly definition: RegExp;
	/** Matches the beginning of a sentence that defines a term; the group `term` has the term. */
	readonly isA: RegExp;
	readonly overview: RegExp;
	/** Matches questions about how to do something. Steps or code answer them best. */
	readonly steps: RegExp;
	readonly now: RegExp;
	/** Words that belong only to the form of a question. */
	readonly idle: string;
	/** Matches the noun asked for, in the group `focus`: "which graphics card did", "what is the phone number of". */
	readonly focus: RegExp;
	/** Matches the beginning of a second question: "Who wrote it, and when?" */
	readonly second: RegExp;
	/** Matches a number that only counts the next noun, as in "of the two horns". The first group remains. */
	readonly counted: RegExp;
	/** Matches words for a measure, as in "how old". Answers seldom contain these words. */
	readonly measure: RegExp;
	/** Matches a measure that is not the topic, as in "how long". The first group remains. */
	readonly extent: RegExp;
	/** Capitalized words that are not names: months and days of the week. */
	readonly days: string;
	readonly capitalizesNouns?: boolean;
	/** Words in the names of properties, by the words that ask for these properties. */
	readonly relations: Readonly<Record<string, string>>;
}

interface Kind {
	readonly asked: RegExp;
	readonly found: RegExp;
	/** Words in the names of properties that have such an answer: "date" for "when". */
	readonly properties: string;
	/** Whether the answer is a reason. No single value can be a reason. */
	readonly isWhy?: boolean;
	/** Whether a text without a match of `found` can answer, as always for reasons. */
	readonly isOptional?: true;
	/** Whether a heading may contain the answer. Dates in headings answer; numbers and names do not. */
	readonly inHeading?: true;
}

/** Returns a pattern for a few words, which may be quoted or have another name in brackets, before a defining verb. */
export function termBefore(verbs: string): RegExp {
	return new RegExp(
		`^[\\s*_>#+"“„«\`-]*(?<term>(?:[^\\s:]+ ){0,6}?[^\\s:]+?)["”“»\`*_]*(?: \\([^)]*\\))?,? (?:${verbs})\\b`,
		"iu",
	);
}

/** A telephone number, but not a date. */
export const PHONE = /(?<!\p{L}|\d[.-]?)(?!\d{4}-\d\d-\d\d|\d\d?\.\d\d?\.\d{2,4})\+?\(?\d[\d ()/.–-]{4,}\d/u;

/** Returns a pattern for money or prices. `columns` and `free` are alternatives of a regular expression. */
export function moneyOr(columns: string, free: string): RegExp {
	const currency =
		"\\p{Sc}|(?:eur(?:os?)?|dollars?|pounds?|pence|cents?|ct|gbp|usd|chf|francs?|franken|kr|nok|sek|dkk|crowns?|quid|p)(?!\\p{L})";
	return new RegExp(
		`(?:${currency}) ?\\d|\\d[\\d.,]* ?(?:${currency})|(?<!\\p{L})(?:${columns})(?!\\p{L})[^]*?\\d|(?<!\\p{L})(?:${free})(?!\\p{L})`,
		"iu",
	);
}

/** Returns a pattern for a number with a unit of one of the dimensions, or near a word for the measure. */
export function measured(words: string, numbers: string, ...dimensions: readonly string[]): RegExp {
	const number = `(?:\\d[\\d.,]*|(?<!\\p{L})(?:${numbers})(?: an?)?)`;
	return new RegExp(
		`${number}[ -]?(?:${unitPattern(...dimensions)})(?!\\p{L})|(?<!\\p{L})(?:${words})[^]*?\\d|\\d[^]*?(?<!\\p{L})(?:${words})`,
		"iu",
	);
}

const MONTH =
	"(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|ju(?:ne?|ni|ly?|li)|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)(?!\\p{L})\\.?";

/** Digits that do not belong to a name such as `M10` (unlike `EUR60` and `PT30M`), a date or a time of day. */
export const AMOUNT = [
	"(?<!\\d[:.,]?|(?<!\\p{L})(?!(?:eur|usd|gbp|chf|sek|nok|dkk|pt?)\\d)\\p{L}+)",
	`(?!\\d{1,2}:\\d\\d|\\d{4}-\\d\\d-|\\d{1,2}(?:st|nd|rd|th|\\.)? ${MONTH}(?: \\d{4}|$|[^\\p{L}\\s]))`,
	`(?<!(?:\\b(?:in|since|until|from|year|seit|bis|ab|jahr)|©|\\(c\\)|(?<!\\p{L})${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?,)?) )\\d`,
].join("");

export const YEAR = "\\b(?:1\\d{3}|20\\d\\d)s?\\b";

/** Numbers of versions: `3.10`, `v7`, `18+`, `Node 22`. */
export const VERSION =
	/(?<![\d.])\d+\.\d+|\b(?:v|[Vv]ersion(?:s|en)? )\d|\d(?:\+| or (?:later|newer|above)| oder (?:neuer|höher))|(?<!\p{L})\p{Lu}[\p{L}.]* \d{1,3}(?!\d|[.,]?\p{L})/u;
