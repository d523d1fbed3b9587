import { memoize } from "../../base/jobs/lazily.ts";
import { measureOf } from "../../base/quantities/measure.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import type { Form, Noun, Statement } from "./task.ts";

const MOST_MEMBERS = 150_000;

/** Maximum number of characters of a value that is compared; longer values are running text. */
const LONGEST_VALUE = 100;

/** A value of a member, in words with a space on both sides. */
export interface Value extends Texts {
	readonly statement: Statement;
}

interface Texts {
	readonly words: string;
	/** The items, if the value is a list such as "lunch, dinner". */
	readonly parts: readonly string[];
}

const MONTHS =
	"january januar|february februar|march marz|april|may mai|june juni|july juli|august|september|october oktober|november|december dezember"
		.split("|")
		.map(wordList);

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
export const DAY = /^(?:[12]?\d|3[01])(?:st|nd|rd|th)?$/;

/** Whether the word is a month ("in May", "on 14 May", "on May 14th") and not the verb "may". */
function isMonth(words: readonly string[], index: number): boolean {
	const [before = "", word = "", after = ""] = words.slice(index - 1, index + 2);
	const isDated = before === "in" || before === "of" || DAY.test(before) || DAY.test(after);
	return isDated && MONTHS.some((names) => names.includes(word));
}

/** The members' values with one of the words or a date in a month of the question; empty for too many members. */
export function valuesWith(
	telling: readonly string[],
	{ graph, noun: { all }, words }: Pick<Form, "words"> & { readonly graph: Graph; readonly noun: Noun },
): Value[] {
	if (!all || all.size > MOST_MEMBERS || telling.length === 0) return [];
	const hasMonth = words.some((word, index) => telling.includes(word) && isMonth(words, index));
	const read = memoize((object: number) => textsOf(graph.termAt(object), telling, hasMonth));
	return [...all].flatMap((subject) =>
		[...graph.walk({ subject })].flatMap(({ predicate, object }) => {
			const texts = read(object);
			return texts ? [{ ...texts, statement: { subject, predicate, object } }] : [];
		}),
	);
}

function textsOf(
	{ termType, value }: Term,
	telling: readonly string[],
	hasMonth: boolean,
): Texts | undefined {
	if (termType !== "Literal" || value.length > LONGEST_VALUE) return undefined;
	const words = spaced(value) + (hasMonth ? datesOf(value) : "");
	if (!telling.some((word) => words.includes(` ${word} `))) return undefined;
	return { words, parts: value.split(/[;/]|,(?!\d)/).map(spaced) };
}

/** Spellings of a date: "august 2025" and, if the date has a day, "14 august 2025" and "august 14th 2025". */
function datesOf(value: string): string {
	const measure = measureOf(value);
	if (measure?.dimension !== "date") return "";
	const date = new Date(measure.value * 86_400_000);
	const [day, year] = [date.getUTCDate(), date.getUTCFullYear()];
	const hasDay = (value.match(/\d+|\p{L}{3,}/gu) ?? []).length > 2;
	const days = hasDay ? [`${day}`, `${day}${ENDINGS[ORDINALS.select(day)]}`] : [];
	const written = (MONTHS[date.getUTCMonth()] ?? []).flatMap((month) => [
		`${month} ${year}`,
		...days.flatMap((on) => [`${on} ${month} ${year}`, `${month} ${on} ${year}`]),
	]);
	return spaced(written.join(" "));
}

export function spaced(text: string): string {
	return ` ${nameWords(text).join(" ")} `;
}
