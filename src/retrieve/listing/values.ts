import type { Graph } from "../../graph/facts/graph.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import type { Noun, Statement } from "./task.ts";

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

/** The values of all members that have one of these words; none if there are too many members. */
export function valuesWith(
	telling: readonly string[],
	{ graph, noun: { all } }: { readonly graph: Graph; readonly noun: Noun },
): Value[] {
	if (!all || all.size > MOST_VALUED || telling.length === 0) return [];
	const known = new Map<number, Texts | undefined>();
	const read = (object: number) => {
		if (!known.has(object)) known.set(object, textsOf(graph, object, telling));
		return known.get(object);
	};
	return [...all].flatMap((subject) =>
		[...graph.walk({ subject })].flatMap(({ predicate, object }) => {
			const texts = read(object);
			return texts ? [{ ...texts, statement: { subject, predicate, object } }] : [];
		}),
	);
}

function textsOf(graph: Graph, object: number, telling: readonly string[]): Texts | undefined {
	const { termType, value } = graph.termAt(object);
	if (termType !== "Literal" || value.length > LONGEST_VALUE) return undefined;
	const words = spaced(value);
	if (!telling.some((word) => words.includes(` ${word} `))) return undefined;
	return { words, parts: value.split(/[;/]|,(?!\d)/).map(spaced) };
}

function spaced(text: string): string {
	return ` ${nameWords(text).join(" ")} `;
}
