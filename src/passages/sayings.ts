import type { Hit } from "../core/knowledge/knowledge.ts";
import { sentencesOf } from "./sentences.ts";
import { isProse, isVocabulary, type Property, type Thing } from "./things.ts";
import type { Words } from "./words.ts";

/** A line of a thing of the graph; `words` are those of its value. */
interface Said {
	readonly thing: Thing;
	readonly property: Property;
	readonly isValue: boolean;
	readonly words: ReadonlySet<string>;
}

/** What a passage says in one place, and may be quoted by itself. */
export interface Saying {
	readonly hit: Hit;
	/** In the passage's own words. */
	readonly text: string;
	/** What it is said of, where it is a line of a thing of the graph. */
	readonly of?: Said;
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
export function sayingsInText(hit: Hit, language: Words): Saying[] {
	const { order: orderOf, isTelling } = language;
	const title = language.telling(hit.title);
	const isHeading = headingsFor(hit);
	const sayings: Saying[] = [];
	// All of the passage's sayings share the set, which is whole when the last one has been read.
	const passage = new Set(title);
	let [around, before] = [title, NONE];
	for (const { text, begins } of sentencesOf(hit.text)) {
		const order = orderOf(text);
		const words = new Set(order.filter(isTelling));
		for (const word of words) passage.add(word);
		if (isHeading(text)) {
			[around, before] = [words, NONE];
			continue;
		}
		const place = sayings.length;
		const context = { around, before: begins ? NONE : before, passage };
		sayings.push({ hit, text, words, order, ...context, isFirst: place === 0, place });
		before = words;
	}
	return sayings;
}

/** What is said of a thing: its values, and the sentences of those that are prose. */
export function sayingsOfThing(thing: Thing, { order, telling }: Words): Saying[] {
	const { hit, label, properties } = thing;
	const passage = telling(hit.text);
	const sayingOf = (property: Property, text: string, told = text): Saying => {
		const own = { words: telling(`${label} ${told}`), order: order(told), around: passage, before: NONE };
		const of = { thing, property, isValue: told !== text, words: telling(text) };
		return { hit, text, of, ...own, passage, isFirst: false, place: 0 };
	};
	return properties.flatMap((property): Saying[] => {
		const { name, value } = property;
		if (isProse(value)) return sentencesOf(value).map(({ text }) => sayingOf(property, text));
		return isVocabulary(thing) ? [] : [sayingOf(property, value, `${name} ${value}`)];
	});
}

/** Passages that were joined keep their titles between them, and tables their heads; no title is a sentence. */
function headingsFor({ title }: Hit): (text: string) => boolean {
	const path = new Set(title.split(" › "));
	const [first] = path;
	return (text) => text === title || path.has(text) || (text.length < 300 && text.startsWith(`${first} › `));
}
