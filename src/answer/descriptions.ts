import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import type { FoundSection } from "./reading.ts";
import { linesOf, type Part, sentencesOf } from "./units.ts";

/** A line of a record: `attendant: Ida Fenwick`. */
export const STATEMENT = /^(?<name>\p{L}[^:\n]{0,80}): (?<value>.+)$/u;

/** A property that describes a resource: its job title, its description. */
export interface Description {
	readonly section: FoundSection;
	/** The name of the resource or, if unknown, the title, which includes the classes. */
	readonly label: string;
	readonly name: string;
	/** The value, or only the first sentence if the value is prose. */
	readonly text: string;
	readonly part: Part;
}

const DEFINING =
	/\b(?:title|role|job|position|occupation|function|description|abstract|comment|about|beruf|rolle|funktion|beschreibung)\b/i;

const MOST_DEFINING = 2;

const FEWEST_WORDS_OF_PROSE = 8;

/** Describes the resource if the question only names it: "Who is Ida Fenwick?" */
export function descriptionsFor(
	{ words, beside, isWhy }: Question,
	sections: readonly FoundSection[],
	{ telling }: Words,
): Description[] {
	const section = sections.find(({ form, title, label = title }) => {
		const named = form === "record" ? telling(label) : new Set<string>();
		return named.size > 0 && words.isSubsetOf(named) && named.isSubsetOf(words.union(beside));
	});
	if (!section || isWhy) return [];
	const { text, title, label = title } = section;
	const own = telling(label);
	const described = linesOf(text).flatMap((part) => {
		const { name = "", value = "" } = STATEMENT.exec(text.slice(part.from, part.to))?.groups ?? {};
		const isNews = value !== label && !telling(name).isSubsetOf(own);
		if (!isNews || !(DEFINING.test(name) || isProse(value))) return [];
		return [{ section, label, name, part, text: isProse(value) ? firstSentence(value) : value }];
	});
	return described.slice(0, MOST_DEFINING);
}

function isProse(value: string): boolean {
	return (
		value.split(" ", FEWEST_WORDS_OF_PROSE).length === FEWEST_WORDS_OF_PROSE &&
		(!value.includes("; ") || /[.!?](?: |$)/.test(value))
	);
}

function firstSentence(text: string): string {
	const [first] = sentencesOf(text);
	return first ? text.slice(first.from, first.to) : text;
}
