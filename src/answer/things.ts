import type { Words } from "./question/words.ts";
import type { FoundSection } from "./reading.ts";
import { linesOf, type Part } from "./units.ts";

export interface Thing {
	readonly section: FoundSection;
	/** Its name; if unknown, its title, which includes its classes. */
	readonly label: string;
	readonly words: ReadonlySet<string>;
	readonly properties: readonly Property[];
}

/** A line of it: `attendant: Ida Fenwick`. */
export interface Property {
	readonly name: string;
	readonly words: ReadonlySet<string>;
	/** As written in the record; several values are separated by `; `. */
	readonly value: string;
	readonly part: Part;
}

/** Words from which on a value is prose. */
const PROSE = 8;

export const STATEMENT = /^(?<name>\p{L}[^:\n]{0,80}): (?<value>.+)$/u;

/** Terms of a vocabulary describe the vocabulary, not a resource. */
const VOCABULARY = /^(?:\p{L}+ )*(?:Property|Class)\b/u;

/** The thing that a record describes; `undefined` for any other section. */
export function thingIn(section: FoundSection, { telling }: Words): Thing | undefined {
	const { form, text, title, label = title } = section;
	if (form !== "record") return undefined;
	const properties = linesOf(text).flatMap((part) => {
		const { name = "", value = "" } = STATEMENT.exec(text.slice(part.from, part.to))?.groups ?? {};
		// The IRI is for programs.
		return name === "" || name === "id" ? [] : [{ name, value, part, words: telling(name) }];
	});
	return { section, label, words: telling(label), properties };
}

export function isVocabulary({ section: { title, text } }: Thing): boolean {
	return VOCABULARY.test(title) && /^(?:domain|range|comment|sub class of|sub property of): /m.test(text);
}

/** Whether it is a sentence or more, which is quoted as such. */
export function isProse(value: string): boolean {
	return value.split(" ", PROSE).length === PROSE && (!value.includes("; ") || /[.!?](?: |$)/.test(value));
}
