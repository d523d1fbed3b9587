import { unitPattern } from "../../../base/quantities/units.ts";

export interface Asking {
	/** Kinds of answers, by precedence: the first match applies. */
	readonly kinds: readonly Kind[];
	/** Matches questions for what something is, not for a property of it. */
	readonly definition: RegExp;
	/** The beginning of a sentence that defines a `term`. */
	readonly isA: RegExp;
	/** Matches questions for what the whole folder is about. */
	readonly overview: RegExp;
	/** Matches questions for how something is done, which steps or code answer best. */
	readonly steps: RegExp;
	/** Words of questions for the current state. */
	readonly now: RegExp;
	/** Words that belong only to the form of a question. */
	readonly idle: string;
	/** `which graphics card did`, `what is the phone number of`: the group `focus` has the noun asked for. */
	readonly focus: RegExp;
	/** Where a question begins a second one: `Who wrote it, and when?` */
	readonly second: RegExp;
	/** `of the two horns`: a number that only counts the noun behind it; the first group is kept. */
	readonly counted: RegExp;
	/** `how old`: words that name a measure, which answers seldom contain. */
	readonly measure: RegExp;
	/** `how long`: a measure that is not the topic of the question; the first group is kept. */
	readonly extent: RegExp;
	/** Capitalized words that are no names: months and days of the week. */
	readonly days: string;
	/** Whether every noun is capitalized, not only names. */
	readonly capitalizesNouns?: boolean;
	/** Names of properties by the words of questions that ask for them. */
	readonly relations: Readonly<Record<string, string>>;
}

interface Kind {
	readonly asked: RegExp;
	/** Matches the expected answer: a number, a date, a name. */
	readonly found: RegExp;
	/** Words in the names of properties that hold the answer: `date` for `when`. */
	readonly properties: string;
	/** Whether the answer is a reason, so no single value answers. */
	readonly isWhy?: boolean;
	/** Whether a text without a match is no answer. */
	readonly isNeeded?: true;
	/** Whether a heading may contain the answer: dates may; numbers and names in headings answer nothing. */
	readonly inHeading?: true;
}

/** A pattern for a `term` of a few words, perhaps quoted or with another name in brackets, before a defining verb. */
export function termBefore(verbs: string): RegExp {
	return new RegExp(
		`^[\\s*_>#+"“„«\`-]*(?<term>(?:[^\\s:]+ ){0,6}?[^\\s:]+?)["”“»\`*_]*(?: \\([^)]*\\))?,? (?:${verbs})\\b`,
		"iu",
	);
}

/** A telephone number, but no date. */
export const PHONE = /(?<!\p{L}|\d[.-]?)(?!\d{4}-\d\d-\d\d|\d\d?\.\d\d?\.\d{2,4})\+?\(?\d[\d ()/.–-]{4,}\d/u;

/** A pattern for an amount of money or a price column, given the language's words for columns and for "free". */
export function moneyOr(columns: string, free: string): RegExp {
	const currency =
		"\\p{Sc}|(?:eur(?:os?)?|dollars?|pounds?|pence|cents?|ct|gbp|usd|chf|francs?|franken|kr|nok|sek|dkk|crowns?|quid|p)(?!\\p{L})";
	return new RegExp(
		`(?:${currency}) ?\\d|\\d[\\d.,]* ?(?:${currency})|(?<!\\p{L})(?:${columns})(?!\\p{L})[^]*?\\d|(?<!\\p{L})(?:${free})(?!\\p{L})`,
		"iu",
	);
}

/** A pattern for a number with a unit of one of the dimensions, or a number near a word for what is measured. */
export function measured(words: string, numbers: string, ...dimensions: readonly string[]): RegExp {
	const number = `(?:\\d[\\d.,]*|(?<!\\p{L})(?:${numbers})(?: an?)?)`;
	return new RegExp(
		`${number}[ -]?(?:${unitPattern(...dimensions)})(?!\\p{L})|(?<!\\p{L})(?:${words})[^]*?\\d|\\d[^]*?(?<!\\p{L})(?:${words})`,
		"iu",
	);
}

const MONTH =
	"(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|ju(?:ne?|ni|ly?|li)|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)(?!\\p{L})\\.?";

/** Digits that belong to no name such as `M10` (unlike `EUR60` and `PT30M`), no date and no time of day. */
export const AMOUNT = [
	"(?<!\\d[:.,]?|(?<!\\p{L})(?!(?:eur|usd|gbp|chf|sek|nok|dkk|pt?)\\d)\\p{L}+)",
	`(?!\\d{1,2}:\\d\\d|\\d{4}-\\d\\d-|\\d{1,2}(?:st|nd|rd|th|\\.)? ${MONTH}(?: \\d{4}|$|[^\\p{L}\\s]))`,
	`(?<!(?:\\b(?:in|since|until|from|year|seit|bis|ab|jahr)|©|\\(c\\)|(?<!\\p{L})${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?,)?) )\\d`,
].join("");

export const YEAR = "\\b(?:1\\d{3}|20\\d\\d)s?\\b";

/** Numbers of versions: `3.10`, `v7`, `18+`, `Node 22`. */
export const VERSION =
	/(?<![\d.])\d+\.\d+|\b(?:v|[Vv]ersion(?:s|en)? )\d|\d(?:\+| or (?:later|newer|above)| oder (?:neuer|höher))|(?<!\p{L})\p{Lu}[\p{L}.]* \d{1,3}(?!\d|[.,]?\p{L})/u;
