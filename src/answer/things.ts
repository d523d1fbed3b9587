import type { Grammar, Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import type { FoundSection } from "./reading.ts";
import { linesOf, type Part } from "./units.ts";

export interface Thing {
	readonly section: FoundSection;
	/** The name or, if unknown, the title, which includes the classes. */
	readonly label: string;
	readonly words: ReadonlySet<string>;
	readonly properties: readonly Property[];
}

/** A line of a record: `attendant: Ida Fenwick`. */
export interface Property {
	readonly name: string;
	readonly words: ReadonlySet<string>;
	/** The values, as written in the record and separated by `; `. */
	readonly value: string;
	readonly part: Part;
}

const FEWEST_WORDS_OF_PROSE = 8;

export const STATEMENT = /^(?<name>\p{L}[^:\n]{0,80}): (?<value>.+)$/u;

/** Titles of records about a term of a vocabulary and not about a resource. */
const VOCABULARY = /^(?:\p{L}+ )*(?:Property|Class)\b/u;

export function thingIn(section: FoundSection, { telling }: Words): Thing | undefined {
	const { form, text, title, label = title } = section;
	if (form !== "record") return undefined;
	const properties = linesOf(text).flatMap((part) => {
		const { name = "", value = "" } = STATEMENT.exec(text.slice(part.from, part.to))?.groups ?? {};
		// Omits the IRI, which users do not need.
		return name === "" || name === "id" ? [] : [{ name, value, part, words: telling(name) }];
	});
	return { section, label, words: telling(label), properties };
}

export function isVocabulary({ section: { title, text } }: Thing): boolean {
	return VOCABULARY.test(title) && /^(?:domain|range|comment|sub class of|sub property of): /m.test(text);
}

export function isProse(value: string): boolean {
	return (
		value.split(" ", FEWEST_WORDS_OF_PROSE).length === FEWEST_WORDS_OF_PROSE &&
		(!value.includes("; ") || /[.!?](?: |$)/.test(value))
	);
}

export interface Glossary extends Pick<Grammar, "askedFor"> {
	/** Words of descriptions of properties, by property name, from vocabularies. */
	readonly meanings: ReadonlyMap<string, ReadonlySet<string>>;
}

export function glossaryOf(things: readonly Thing[], { words, askedFor }: Grammar): Glossary {
	const meanings = things.filter(isVocabulary).flatMap(({ label, properties }) => {
		const comment = properties.find(({ name }) => name === "comment" || name === "description");
		const name = label.replace(VOCABULARY, "").trim();
		return comment ? [[name, words.telling(comment.value)] as const] : [];
	});
	return { meanings: new Map(meanings), askedFor };
}

/** The words of the question that ask for a property, by its name or by its description in a vocabulary. */
function askingFor({ name, words }: Property, asked: ReadonlySet<string>, { meanings, askedFor }: Glossary) {
	const meaning = meanings.get(name);
	const asks = (word: string) => meaning?.has(word) || askedFor(word).some((each) => words.has(each));
	return new Set([...asked].filter(asks));
}

export interface Fit {
	readonly property: Property;
	readonly used: ReadonlySet<string>;
	/** Share, from 0 to 1, of the property's name that the question has. */
	readonly share: number;
}

/** Minimum `share`. Names have smaller shares of the words by chance. */
const LEAST_SHARE = 0.5;

/** The properties that the question asks for. Names of these may also have words of `kinds`. */
export function fitsOf({ properties }: Thing, asking: Pick<Question, "words" | "kinds">, glossary: Glossary) {
	const { words, kinds } = asking;
	return properties.flatMap((property): Fit[] => {
		if (isProse(property.value) || property.words.size === 0) return [];
		const used = askingFor(property, words, glossary);
		const named = new Set([...used].flatMap(glossary.askedFor)).union(kinds);
		const isMeant = [...used].some((word) => glossary.meanings.get(property.name)?.has(word));
		const nameShare = property.words.intersection(named).size / property.words.size;
		const share = Math.max(isMeant ? LEAST_SHARE : 0, nameShare);
		return used.size > 0 && share >= LEAST_SHARE ? [{ property, used, share }] : [];
	});
}
