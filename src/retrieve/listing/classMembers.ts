import { RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { nameKey } from "../../graph/facts/nameWords.ts";
import { toSingular } from "../entities/questionWords.ts";
import type { ListingQuestion } from "./listingQuestion.ts";

/** A class that a question names, and where. */
export interface NamedClass {
	/** One, or several of the same name. */
	readonly classes: readonly number[];
	/** How many words of the question name it, from the first. */
	readonly length: number;
}

/** Words of the longest class name that is looked for. */
const LONGEST_CLASS = 4;

/** The class that the question is about: its first words name it, in the plural or not. */
export function namedClass(
	{ words, needsPlural }: ListingQuestion,
	names: NameIndex,
): NamedClass | undefined {
	for (let length = Math.min(LONGEST_CLASS, words.length); length > 0; length--) {
		const own = words.slice(0, length);
		const singular = toSingular(own);
		if (needsPlural && nameKey(own) === nameKey(singular)) continue;
		const found = new Set([own, singular, irregular(own)].flatMap((form) => names.named(nameKey(form))));
		const classes = [...found].filter((node) => names.kindOf(node) === "class");
		if (classes.length > 0) return { classes, length };
	}
	return undefined;
}

function irregular(words: readonly string[]): string[] {
	return words.map((word, index) => (index === words.length - 1 && word === "people" ? "person" : word));
}

/** Every resource of the classes and of their subclasses. */
export function membersOf(graph: Graph, classes: readonly number[]): Set<number> {
	const all = new Set(classes);
	for (const wide of all) for (const narrow of subjectsOf(graph, `${RDFS}subClassOf`, wide)) all.add(narrow);
	return new Set([...all].flatMap((one) => subjectsOf(graph, RDF_TYPE, one)));
}

/** Whether all members are of narrower classes, of which there are several: then nobody knows whether all are meant. */
export function isOfSeveralKinds(graph: Graph, classes: readonly number[]): boolean {
	if (classes.some((one) => subjectsOf(graph, RDF_TYPE, one).length > 0)) return false;
	const narrow = new Set(classes.flatMap((one) => subjectsOf(graph, `${RDFS}subClassOf`, one)));
	return [...narrow].filter((one) => membersOf(graph, [one]).size > 0).length > 1;
}

function subjectsOf(graph: Graph, property: string, object: number): number[] {
	const predicate = graph.numberOf({ termType: "NamedNode", value: property });
	return predicate === 0 ? [] : Array.from(graph.walk({ predicate, object }), ({ subject }) => subject);
}
