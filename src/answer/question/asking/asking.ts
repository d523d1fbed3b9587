import { unitPattern } from "../../../base/quantities/units.ts";

export interface Asking {
	/** The first matching kind counts. */
	readonly kinds: readonly Kind[];
	/** Whether it asks what something is, and not what something of it is. */
	readonly definition: RegExp;
	/** The beginning of a sentence that says what a `term` is. */
	readonly isA: RegExp;
	/** Whether it asks what the whole folder is. */
	readonly overview: RegExp;
	/** Whether it asks how something is done, which a list of steps or code answers best. */
	readonly steps: RegExp;
	/** Words by which it asks how something is today. */
	readonly now: RegExp;
	/** Words that only belong to the form of a question. */
	readonly idle: string;
	/** `which graphics card did`, `what is the phone number of`: the group `focus` names what the question asks for. */
	readonly focus: RegExp;
	/** Where a question begins a second one: `Who wrote it, and when?` */
	readonly second: RegExp;
	/** `of the two horns`: a number that counts its object; the first group is kept. */
	readonly counted: RegExp;
	/** `how old`: words that name a measure; texts seldom contain them. */
	readonly measure: RegExp;
	/** `how long`: names what the question asks for, not its topic; the first group is kept. */
	readonly extent: RegExp;
	/** Words with a capital that name no thing: months and days of the week. */
	readonly days: string;
	/** Whether a capital letter says no more of a word than that it is a noun. */
	readonly capitalizesNouns?: boolean;
	/** Words of questions, and the names of properties that they refer to. */
	readonly relations: Readonly<Record<string, string>>;
}

interface Kind {
	readonly asked: RegExp;
	/** What an answer has: a number, a date, a name. */
	readonly found: RegExp;
	/** Words in names of matching properties: `date` if it asks when. */
	readonly properties: string;
	/** Whether it asks for a reason, which no single value is. */
	readonly isWhy?: boolean;
	/** Whether a text without it is no answer. */
	readonly isNeeded?: true;
	/** Whether it may be in a heading: numbers there count nothing, and names there did nothing. */
	readonly inHeading?: true;
}

/** A few words, perhaps in quotation marks and with another name in brackets, before a verb that says what they are. */
export function termBefore(verbs: string): RegExp {
	return new RegExp(
		`^[\\s*_>#+"“„«\`-]*(?<term>(?:[^\\s:]+ ){0,6}?[^\\s:]+?)["”“»\`*_]*(?: \\([^)]*\\))?,? (?:${verbs})\\b`,
		"iu",
	);
}

/** A telephone number, which no date is. */
export const PHONE = /(?<!\p{L}|\d[.-]?)(?!\d{4}-\d\d-\d\d|\d\d?\.\d\d?\.\d{2,4})\+?\(?\d[\d ()/.–-]{4,}\d/u;

/** An amount of money, or a column of prices; words for what costs nothing are the language's. */
export function moneyOr(columns: string, free: string): RegExp {
	const currency =
		"\\p{Sc}|(?:eur(?:os?)?|dollars?|pounds?|pence|cents?|ct|gbp|usd|chf|francs?|franken|kr|nok|sek|dkk|crowns?|quid|p)(?!\\p{L})";
	return new RegExp(
		`(?:${currency}) ?\\d|\\d[\\d.,]* ?(?:${currency})|(?<!\\p{L})(?:${columns})(?!\\p{L})[^]*?\\d|(?<!\\p{L})(?:${free})(?!\\p{L})`,
		"iu",
	);
}

/** A number with a unit of one of the dimensions, in digits or words, or one beside a word for what is measured. */
export function measured(words: string, numbers: string, ...dimensions: readonly string[]): RegExp {
	const number = `(?:\\d[\\d.,]*|(?<!\\p{L})(?:${numbers})(?: an?)?)`;
	return new RegExp(
		`${number}[ -]?(?:${unitPattern(...dimensions)})(?!\\p{L})|(?<!\\p{L})(?:${words})[^]*?\\d|\\d[^]*?(?<!\\p{L})(?:${words})`,
		"iu",
	);
}

const MONTH =
	"(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|ju(?:ne?|ni|ly?|li)|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)(?!\\p{L})\\.?";

/** A number in digits that is no part of a name such as `M10` (as it is of `EUR60` and `PT30M`), of a date or of a time of day. */
export const AMOUNT = [
	"(?<!\\d[:.,]?|(?<!\\p{L})(?!(?:eur|usd|gbp|chf|sek|nok|dkk|pt?)\\d)\\p{L}+)",
	`(?!\\d{1,2}:\\d\\d|\\d{4}-\\d\\d-|\\d{1,2}(?:st|nd|rd|th|\\.)? ${MONTH}(?: \\d{4}|$|[^\\p{L}\\s]))`,
	`(?<!(?:\\b(?:in|since|until|from|year|seit|bis|ab|jahr)|©|\\(c\\)|(?<!\\p{L})${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?,)?) )\\d`,
].join("");

export const YEAR = "\\b(?:1\\d{3}|20\\d\\d)s?\\b";

/** Numbers of versions: `3.10`, `v7`, `18+`, `Node 22`. */
export const VERSION =
	/(?<![\d.])\d+\.\d+|\b(?:v|[Vv]ersion(?:s|en)? )\d|\d(?:\+| or (?:later|newer|above)| oder (?:neuer|höher))|(?<!\p{L})\p{Lu}[\p{L}.]* \d{1,3}(?!\d|[.,]?\p{L})/u;
