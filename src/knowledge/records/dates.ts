import { wordList } from "../../base/words/wordList.ts";
import { isDate } from "./literals.ts";

/** First letters in English and German. */
const MONTHS = wordList("jan feb mar/mär apr may/mai jun jul aug sep oct/okt nov dec/dez").map((each) =>
	each.split("/"),
);
const MONTH = "(\\p{L}{3,9})\\.?";

type Parts = readonly [year: string, month: string, day: string];

/** Written dates, and how their groups give year, month and day. */
const FORMS: readonly (readonly [RegExp, (groups: readonly string[]) => Parts])[] = [
	[/(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/u, ([year = "", month = "", day = ""]) => [year, month, day]],
	[
		/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/u,
		([day = "", month = "", year = ""]) => [year, month, day],
	],
	[
		new RegExp(`(?<!\\d)(\\d{1,2})(?:\\.|st|nd|rd|th)?\\s${MONTH},?\\s(\\d{4})(?!\\d)`, "u"),
		([day = "", month = "", year = ""]) => [year, monthOf(month), day],
	],
	[
		new RegExp(`(?<!\\p{L})${MONTH}\\s(\\d{1,2})(?:st|nd|rd|th)?,?\\s(\\d{4})(?!\\d)`, "u"),
		([month = "", day = "", year = ""]) => [year, monthOf(month), day],
	],
];

/** The first date in a heading or file name, as `2025-07-08`. */
export function dateIn(text: string): string | undefined {
	if (!/\d{4}/.test(text)) return undefined;
	for (const [pattern, parts] of FORMS) {
		const groups = pattern.exec(text)?.slice(1);
		if (!groups) continue;
		const date = parts(groups)
			.map((part) => part.padStart(2, "0"))
			.join("-");
		if (isDate(date)) return date;
	}
	return undefined;
}

function monthOf(word: string): string {
	const start = word.slice(0, 3).toLowerCase();
	return String(MONTHS.findIndex((starts) => starts.includes(start)) + 1);
}
