import type { Hit } from "../core/knowledge/knowledge.ts";
import type { Grammar } from "./grammar.ts";
import type { Question } from "./question.ts";
import type { Words } from "./words.ts";

/** What a passage says of a thing of the graph. */
export interface Thing {
	readonly hit: Hit;
	/** Its name; its title, which has its classes too, where the name is not known. */
	readonly label: string;
	readonly words: ReadonlySet<string>;
	readonly properties: readonly Property[];
}

/** A line of it: `attendant: Ida Fenwick`. */
export interface Property {
	readonly name: string;
	readonly words: ReadonlySet<string>;
	/** As it stands in the passage; several values are parted by `; `. */
	readonly value: string;
}

/** Words from which on a value is prose. */
const PROSE = 8;

const STATEMENT = /^(?<name>\p{L}[^:\n]{0,80}): (?<value>.+)$/u;

/** Terms of a vocabulary say what is said of things, nothing of a thing. */
const VOCABULARY = /^(?:\p{L}+ )*(?:Property|Class)\b/u;

/** The thing that a passage tells of; `undefined` where it is running text. */
export function thingIn(hit: Hit, { telling }: Words): Thing | undefined {
	const { iri, title, text } = hit;
	const lines = text.split("\n");
	if (iri === undefined && lines[0] !== title) return undefined;
	const label = labelOf(hit);
	const properties = lines.flatMap((line) => {
		const { name = "", value = "" } = STATEMENT.exec(line)?.groups ?? {};
		// The IRI is for programs.
		return name === "" || name === "id" ? [] : [{ name, value, words: telling(name) }];
	});
	return { hit, label, words: telling(label), properties };
}

/** The way through the graph ends with the name, and so does the title. */
function labelOf({ title, via }: Hit): string {
	const last = via?.split(/ [→←] /).at(-1) ?? "";
	return last !== "" && title.endsWith(last) ? last : title;
}

export function isVocabulary({ hit }: Thing): boolean {
	return (
		VOCABULARY.test(hit.title) && /^(?:domain|range|comment|sub class of|sub property of): /m.test(hit.text)
	);
}

/** Whether it is a sentence or more, which is quoted as such. */
export function isProse(value: string): boolean {
	return value.split(" ", PROSE).length === PROSE && (!value.includes("; ") || /[.!?](?: |$)/.test(value));
}

/** How properties are asked for. */
export interface Glossary extends Pick<Grammar, "askedFor"> {
	/** What vocabularies among the things say that properties mean, by their names. */
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

/** Those of some words that ask for a property, by its name or by what a vocabulary says of it. */
export function askingFor(
	{ name, words }: Property,
	asked: ReadonlySet<string>,
	{ meanings, askedFor }: Glossary,
): Set<string> {
	const meaning = meanings.get(name);
	return new Set(
		[...asked].filter((word) => meaning?.has(word) || askedFor(word).some((each) => words.has(each))),
	);
}

/** A property that a question asks for. */
export interface Fit {
	readonly property: Property;
	/** The words that ask for it. */
	readonly used: ReadonlySet<string>;
	/** How much of its name they are, 0 to 1. */
	readonly share: number;
}

/** Below this share a name only happens to have one of the words. */
const LEAST_SHARE = 0.5;

/** The properties of a thing that words ask for; `kinds` may stand in their names beside the words. */
export function fitsOf(
	{ properties }: Thing,
	asking: Pick<Question, "words" | "kinds">,
	glossary: Glossary,
): Fit[] {
	const { words, kinds } = asking;
	return properties.flatMap((property): Fit[] => {
		if (isProse(property.value) || property.words.size === 0) return [];
		const used = askingFor(property, words, glossary);
		const named = new Set([...used].flatMap(glossary.askedFor)).union(kinds);
		const isMeant = [...used].some((word) => glossary.meanings.get(property.name)?.has(word));
		const share = Math.max(
			isMeant ? LEAST_SHARE : 0,
			property.words.intersection(named).size / property.words.size,
		);
		return used.size > 0 && share >= LEAST_SHARE ? [{ property, used, share }] : [];
	});
}
