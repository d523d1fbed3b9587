import { measureOf } from "../../base/quantities/measure.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import type { Statement, Task } from "./task.ts";

/** Members whose values are looked at. */
const MOST_VALUED = 150_000;

/** Characters of a value; one that has more is a text. */
const LONGEST_VALUE = 100;

/** What a member says, in words with a space on both sides. */
export interface Value extends Texts {
	readonly statement: Statement;
}

interface Texts {
	readonly words: string;
	/** Each of several in one value: "lunch, dinner". */
	readonly parts: readonly string[];
}

/** What each month is called in English and German, as `nameWords` gives it. */
const MONTHS =
	"january januar|february februar|march marz|april|may mai|june juni|july juli|august|september|october oktober|november|december dezember"
		.split("|")
		.map(wordList);

/** Whether the word says a month: "in May", and not what "may" be done. */
function isMonth(word: string, before: string | undefined): boolean {
	return (before === "in" || before === "of") && MONTHS.some((names) => names.includes(word));
}

/** The values of all members that have one of these words, or are in a month that the question says; none if there are too many members. */
export function valuesWith(
	telling: readonly string[],
	{ graph, noun: { all }, words }: Pick<Task, "graph" | "noun" | "words">,
): Value[] {
	if (!all || all.size > MOST_VALUED || telling.length === 0) return [];
	const hasMonth = words.some((word, index) => telling.includes(word) && isMonth(word, words[index - 1]));
	const known = new Map<number, Texts | undefined>();
	const read = (object: number) => {
		if (!known.has(object)) known.set(object, textsOf(graph.termAt(object), telling, hasMonth));
		return known.get(object);
	};
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
	const words = spaced(value) + (hasMonth ? monthsOf(value) : "");
	if (!telling.some((word) => words.includes(` ${word} `))) return undefined;
	return { words, parts: value.split(/[;/]|,(?!\d)/).map(spaced) };
}

/** "august 2025" of a date. */
function monthsOf(value: string): string {
	const measure = measureOf(value);
	if (measure?.dimension !== "date") return "";
	const day = new Date(measure.value * 86_400_000);
	return spaced(
		(MONTHS[day.getUTCMonth()] ?? []).map((month) => `${month} ${day.getUTCFullYear()}`).join(" "),
	);
}

function spaced(text: string): string {
	return ` ${nameWords(text).join(" ")} `;
}
