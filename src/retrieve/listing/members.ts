import { KEYS, KINDS, RDFS, VOID_ENTITIES, XSD } from "../../base/rdf/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameKey } from "../../graph/facts/labels.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import type { Form, Noun } from "./task.ts";
import { isPlural, kindInIri, singularOf, type Vocabulary } from "./vocabulary.ts";

/** Maximum words of a noun, and of its description before it. */
const LONGEST_NOUN = 4;
const MOST_BEFORE = 2;

/** What the noun may be: a class, what a property leads to, or things whose IRIs say so; the likeliest first. */
export function* nounsIn(question: Form, graph: Graph, vocabulary: Vocabulary): Generator<Noun> {
	for (const span of spansOf(question))
		yield* nounsOf(question.words.slice(...span), span, { graph, vocabulary });
	yield* tasksIn(question, graph);
	if (question.isOpen) yield { span: [0, 0], classes: [], has: () => true };
}

/** "What is still to do": the boxes that are not checked. */
function* tasksIn({ words, isOpen }: Form, graph: Graph): Generator<Noun> {
	const predicate = graph.numberOf({ termType: "NamedNode", value: `${KEYS}done` });
	const start = words.findIndex((word, index) => word === "to" && words[index + 1] === "do");
	if (!isOpen || predicate === 0 || start < 0) return;
	const open = { termType: "Literal", value: "false", datatype: `${XSD}boolean` } as const;
	const all = new Set(subjectsOf(graph, predicate, graph.numberOf(open)));
	yield { span: [start, start + 2], classes: [], all, has: (node) => all.has(node) };
}

/** Possible positions of the noun: at the beginning, or in the plural after some words that describe it. */
function* spansOf({ words, needsPlural }: Form): Generator<Noun["span"]> {
	const end = words.findIndex(isFunctionWord);
	const most = end < 0 ? MOST_BEFORE : Math.min(MOST_BEFORE, end);
	for (let start = 0; start <= most; start++)
		for (let length = Math.min(LONGEST_NOUN, words.length - start); length > 0; length--) {
			const own = words.slice(start, start + length);
			if (isPlural(own) || (start === 0 && !needsPlural)) yield [start, start + length];
		}
}

function* nounsOf(
	own: readonly string[],
	span: Noun["span"],
	{ graph, vocabulary }: { readonly graph: Graph; readonly vocabulary: Vocabulary },
): Generator<Noun> {
	const classes = vocabulary.classesNamed(own);
	const [first] = classes;
	if (first !== undefined) yield nounOf(span, first, { all: membersOf(graph, classes, vocabulary), classes });
	const properties = vocabulary.propertiesNamed(own);
	const [property] = properties;
	if (property !== undefined)
		yield nounOf(span, property, { all: valuesOf(graph, properties, vocabulary), classes: [] });
	const ofKind = vocabulary.classesOfKind(own);
	if (ofKind[0] !== undefined)
		yield nounOf(span, ofKind[0], { all: membersOf(graph, ofKind, vocabulary), classes: ofKind });
	const kinds = new Set([own, singularOf(own)].map(nameKey));
	yield { span, classes: [], has: (node) => kinds.has(kindInIri(graph, node)) };
}

function nounOf(
	span: Noun["span"],
	node: number,
	{ all, classes }: { readonly all: ReadonlySet<number>; readonly classes: readonly number[] },
): Noun {
	return { span, node, all, classes, has: (one) => all.has(one) };
}

/** Every resource of the classes and of their subclasses. */
function membersOf(graph: Graph, classes: readonly number[], { types }: Vocabulary): Set<number> {
	const all = new Set(classes);
	for (const wide of all) for (const narrow of narrowerOf(graph, wide)) all.add(narrow);
	return new Set([...all].flatMap((one) => types.flatMap((type) => subjectsOf(graph, type, one))));
}

/** Values of the properties, or their subjects: a `memberOf` lists members. */
function valuesOf(graph: Graph, properties: readonly number[], vocabulary: Vocabulary): Set<number> {
	const found = new Set<number>();
	for (const predicate of properties) {
		const isOfOther = vocabulary.namesOf(predicate)[0]?.at(-1) === "of";
		for (const { subject, object } of graph.walk({ predicate })) found.add(isOfOther ? subject : object);
	}
	return found;
}

/** Whether all members belong to several narrower classes: it is then unclear whether all are meant. */
export function isOfSeveralKinds(graph: Graph, classes: readonly number[], vocabulary: Vocabulary): boolean {
	if (classes.some((one) => vocabulary.types.some((type) => subjectsOf(graph, type, one).length > 0)))
		return false;
	const narrow = new Set(classes.flatMap((one) => narrowerOf(graph, one)));
	return [...narrow].filter((one) => membersOf(graph, [one], vocabulary).size > 0).length > 1;
}

function narrowerOf(graph: Graph, wide: number): number[] {
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	return subClassOf === 0 ? [] : subjectsOf(graph, subClassOf, wide);
}

function subjectsOf(graph: Graph, predicate: number, object: number): number[] {
	return Array.from(graph.walk({ predicate, object }), ({ subject }) => subject);
}

/** How many rows of the same classes as these things are not in the graph, because their files are too large. */
export function leftOutOf(graph: Graph, things: ReadonlySet<number>): number {
	let missing = 0;
	for (const { subject, object, document } of graph.match({ predicate: VOID_ENTITIES })) {
		if (!subject.value.startsWith(KINDS)) continue;
		const isOwn = (node: number) => graph.termAt(node).value.startsWith(`${document}#`);
		const own = [...things].filter(isOwn).length;
		if (own > 0) missing += Number(object.value) - own;
	}
	return missing;
}
