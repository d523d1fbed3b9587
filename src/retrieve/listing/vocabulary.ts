import { stemmer } from "stemmer";
import { FOLDERS, lastSegment, localNameOf, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { isNaming, nameKey, nameWords } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { toSingular } from "../entities/questionWords.ts";

/** How a graph calls its classes and properties, whatever vocabulary it uses. Nodes are the graph's numbers. */
export interface Vocabulary {
	/** The properties that state the class of a resource. */
	readonly types: readonly number[];
	/** The names of a property, each in words: that in its IRI, and its labels. */
	namesOf(predicate: number): readonly (readonly string[])[];
	/** The classes that words name, in the plural or not. */
	classesNamed(words: readonly string[]): readonly number[];
	/** The classes whose members all have these words before their names in their IRIs: `/classes#wheel`. */
	classesOfKind(words: readonly string[]): readonly number[];
	classNames(): readonly (readonly [node: number, name: readonly string[]])[];
	propertyWords(): readonly string[];
	/** The properties that words name: `supplier` is `supplier` or `hasSupplier`. */
	propertiesNamed(words: readonly string[]): readonly number[];
}

/** Opaque IRIs such as `P57` and `q42`: another IRI with the same ending has their name. */
const OPAQUE = /^\p{L}{0,2}\d+$/u;

const PLURALS: Readonly<Record<string, string>> = {
	people: "person",
	children: "child",
	men: "man",
	women: "woman",
	analyses: "analysis",
	criteria: "criterion",
	indices: "index",
	matrices: "matrix",
};

/** With the plural at the end undone. */
export function singularOf(words: readonly string[]): string[] {
	const irregular = PLURALS[words.at(-1) ?? ""];
	return irregular === undefined ? toSingular(words) : [...words.slice(0, -1), irregular];
}

export function isPlural(words: readonly string[]): boolean {
	return nameKey(words) !== nameKey(singularOf(words));
}

export const vocabularyOf = perVersion(createVocabulary);

function createVocabulary(graph: Graph, names: NameIndex): Vocabulary {
	const namesOf = createPropertyNames(graph, names);
	const callers = Map.groupBy(
		graph.predicates().flatMap((node) => namesOf(node).map((name) => ({ node, key: nameKey(bare(name)) }))),
		({ key }) => key,
	);
	const propertiesNamed = (words: readonly string[]) =>
		distinct(
			[words, singularOf(words)].flatMap((form) => callers.get(nameKey(form)) ?? []).map(({ node }) => node),
		);
	const types = distinct([
		...propertiesNamed(["type"]).filter((node) => graph.termAt(node).value === RDF_TYPE),
		...propertiesNamed(["instance"]),
		...propertiesNamed(["category"]),
	]);
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	const isClass = (node: number) =>
		types.some((predicate) => graph.has({ predicate, object: node })) ||
		(subClassOf !== 0 && graph.has({ predicate: subClassOf, subject: node })) ||
		names.kindOf(node) === "class";
	const called = memoized(() =>
		[...classesOf(graph, types)].flatMap((node) => namesIn(graph, node).map((name) => [node, name] as const)),
	);
	const propertyWords = memoized(() => [
		...new Set(graph.predicates().flatMap((node) => namesOf(node).flat())),
	]);
	const kinds = memoized(() => kindsInIris(graph, types));
	return {
		types,
		namesOf,
		propertyWords,
		classNames: called,
		classesNamed: (words) => {
			const exact = [words, singularOf(words)].flatMap((form) => names.named(nameKey(form)));
			const found = withoutFolders(graph, distinct(exact).filter(isClass));
			if (found.length > 0) return found;
			const like = withoutFolders(graph, kindsOf(words, called()));
			return like.length === 1 ? like : [];
		},
		classesOfKind: (words) => kinds().get(nameKey(singularOf(words))) ?? [],
		propertiesNamed,
	};
}

/** `platform` in `https://club.example/id/platform/forge`. */
export function kindInIri(graph: Graph, node: number): string {
	const term = graph.termAt(node);
	if (term.termType !== "NamedNode") return "";
	const segment = /\/([^/#?]+)[/#][^/#?]+$/.exec(term.value)?.[1] ?? "";
	return nameKey(singularOf(nameWords(segment)));
}

/** Classes by the kind that all of their members have in their IRIs. */
function kindsInIris(graph: Graph, types: readonly number[]): Map<string, number[]> {
	const kinds = new Map<number, string>();
	for (const predicate of types)
		for (const { subject, object } of graph.walk({ predicate })) {
			const known = kinds.get(object);
			if (known === "") continue;
			const kind = kindInIri(graph, subject);
			kinds.set(object, known === undefined || known === kind ? kind : "");
		}
	const byKind = Map.groupBy([...kinds], ([, kind]) => kind);
	byKind.delete("");
	return new Map([...byKind].map(([kind, classes]) => [kind, classes.map(([node]) => node)]));
}

/** `hasSupplier` and `memberOf` are called by their nouns. */
function bare(name: readonly string[]): readonly string[] {
	const start = name[0] === "has" || name[0] === "is" ? 1 : 0;
	return name.slice(start, name.at(-1) === "of" ? -1 : undefined);
}

function createPropertyNames(graph: Graph, names: NameIndex): Vocabulary["namesOf"] {
	const known = new Map<number, readonly (readonly string[])[]>();
	/** Wikidata describes `wd:P31` and states facts with `wdt:P31`. */
	const twinsOf = (node: number) => {
		const local = localNameOf(graph.termAt(node).value);
		return OPAQUE.test(local) ? names.named(nameKey(nameWords(local))) : [node];
	};
	return (predicate) => {
		const all = known.get(predicate) ?? twinsOf(predicate).flatMap((node) => namesIn(graph, node));
		known.set(predicate, all);
		return all;
	};
}

/** "Blog posts" are the `BlogPosting`s and "trials" the `MedicalTrial`s, unless another class has that name. */
function kindsOf(
	words: readonly string[],
	classes: readonly (readonly [node: number, name: readonly string[]])[],
): number[] {
	const wanted = singularOf(words).map(stemmer).join(" ");
	const ending = (name: readonly string[]) => name.map(stemmer).slice(-words.length).join(" ") === wanted;
	return distinct(classes.flatMap(([node, name]) => (ending(name) ? [node] : [])));
}

/** What a table or a list is called is meant before the documents of a folder. */
function withoutFolders(graph: Graph, classes: readonly number[]): readonly number[] {
	const things = classes.filter((node) => !graph.termAt(node).value.startsWith(FOLDERS));
	return things.length > 0 ? things : classes;
}

function classesOf(graph: Graph, types: readonly number[]): Set<number> {
	const classes = new Set<number>();
	for (const predicate of types) for (const { object } of graph.walk({ predicate })) classes.add(object);
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	if (subClassOf !== 0)
		for (const { subject, object } of graph.walk({ predicate: subClassOf })) classes.add(subject).add(object);
	return classes;
}

function namesIn(graph: Graph, node: number): string[][] {
	const labels = Array.from(graph.walk({ subject: node })).filter(({ predicate }) =>
		isNaming(graph.termAt(predicate).value),
	);
	const told = labels.map(({ object }) => graph.termAt(object).value);
	return [parted(lastSegment(graph.termAt(node).value)), ...told].map(nameWords);
}

/** `worksFor` is two words. */
function parted(name: string): string {
	return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
}

/** What only few questions need is read by the first that does. */
export function memoized<Value>(read: () => Value): () => Value {
	let known: { readonly value: Value } | undefined;
	return () => {
		known ??= { value: read() };
		return known.value;
	};
}

function distinct(nodes: readonly number[]): number[] {
	return [...new Set(nodes)];
}
