import type { Hit } from "../core/knowledge/knowledge.ts";
import { sentencesOf } from "./sentences.ts";
import { orderedStems, tellingStems } from "./stems.ts";
import { isProse, isVocabulary, type Property, type Thing } from "./things.ts";

/** What a passage says in one place, and may be quoted by itself. */
export interface Saying {
	readonly hit: Hit;
	/** In the passage's own words. */
	readonly text: string;
	/** What it is said of, where it is a line of a thing of the graph. */
	readonly of?: { readonly thing: Thing; readonly property: Property; readonly isValue: boolean };
	readonly words: ReadonlySet<string>;
	readonly order: readonly string[];
	/** Words of what stands around it: the title, or all that is said of the thing. */
	readonly around: ReadonlySet<string>;
	/** Words of the sentences before: what `it` and `they` mean. */
	readonly before: ReadonlySet<string>;
	/** Words of the whole passage. */
	readonly passage: ReadonlySet<string>;
	readonly isFirst: boolean;
	/** Its place among the sayings of the passage. */
	readonly place: number;
}

const NONE: ReadonlySet<string> = new Set();

/** The sentences of running text. */
export function sayingsInText(hit: Hit): Saying[] {
	const passage = tellingStems(`${hit.title}\n${hit.text}`);
	const sayings: Saying[] = [];
	let around = tellingStems(hit.title);
	let before = NONE;
	for (const { text, begins } of sentencesOf(hit.text)) {
		if (begins) before = NONE;
		if (isHeading(text, hit)) {
			around = tellingStems(text);
			before = NONE;
			continue;
		}
		const words = tellingStems(text);
		const isFirst = sayings.length === 0;
		sayings.push({
			hit,
			text,
			words,
			order: orderedStems(text),
			around,
			before,
			passage,
			isFirst,
			place: sayings.length,
		});
		before = words;
	}
	return sayings;
}

/** What is said of a thing: its values, and the sentences of those that are prose. */
export function sayingsOfThing(thing: Thing): Saying[] {
	const { hit, properties } = thing;
	const passage = tellingStems(hit.text);
	const sayingOf = (property: Property, text: string, told = text): Saying => {
		const words = {
			words: tellingStems(`${thing.label} ${told}`),
			order: orderedStems(told),
			around: passage,
			before: NONE,
			passage,
		};
		return { hit, text, of: { thing, property, isValue: told !== text }, ...words, isFirst: false, place: 0 };
	};
	return properties.flatMap((property): Saying[] => {
		const { name, value } = property;
		if (isProse(value)) return sentencesOf(value).map(({ text }) => sayingOf(property, text));
		return isVocabulary(thing) ? [] : [sayingOf(property, value, `${name} ${value}`)];
	});
}

/** Passages that were joined keep their titles between them, and tables their heads; no title is a sentence. */
function isHeading(text: string, { title }: Hit): boolean {
	const path = title.split(" › ");
	return text === title || path.includes(text) || (text.startsWith(`${path[0]} › `) && text.length < 300);
}
