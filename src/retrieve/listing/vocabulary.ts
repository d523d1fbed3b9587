import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { FOLDERS, KINDS, lastSegment, localNameOf, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { keyOf, labelIn, nameKey, nameWords } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { toSingular } from "../entities/questionWords.ts";

/** Names of the classes and properties of a graph, in any vocabulary. Numbers identify nodes of the graph. */
export interface Vocabulary {
	/** The properties that state the class of a resource. */
	readonly types: readonly number[];
	/** Names of a property, from its IRI and its labels, each split into words. */
	namesOf(predicate: number): readonly (readonly string[])[];
	/** Classes with this name, in singular or plural. */
	classesNamed(words: readonly string[]): readonly number[];
	/** Classes whose members all have these words in their IRIs, before the last segment: `/classes#wheel`. */
	classesOfKind(words: readonly string[]): readonly number[];
	classesKeyed(keys: readonly string[]): readonly Name[];
	propertiesKeyed(keys: readonly string[]): readonly Name[];
	propertyWords(): ReadonlySet<string>;
	propertyNames(): readonly Name[];
	/** Literals that consist of exactly these words. */
	valuesNamed(words: readonly string[]): readonly number[];
	/** Properties with this name, with or without "has": "supplier" names `supplier` and `hasSupplier`. */
	propertiesNamed(words: readonly string[]): readonly number[];
}

/** A graph with its names. */
export interface Naming {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
}

type Name = readonly [node: number, name: readonly string[]];

/** Names that are only codes, such as `P57` and `q42`. Another IRI with this ending has the label. */
const OPAQUE = /^\p{L}{0,2}\d+$/u;

export function isPlural(words: readonly string[]): boolean {
	return nameKey(words) !== nameKey(toSingular(words));
}

export const vocabularyOf = perVersion(createVocabulary);

function createVocabulary(graph: Graph, names: NameIndex): Vocabulary {
	const namesOf = createPropertyNames(graph, names);
	const propertyNames = memoized(() =>
		graph.predicates().flatMap((node) => namesOf(node).map((name): Name => [node, name])),
	);
	const callers = Map.groupBy(propertyNames(), ([, name]) => nameKey(bare(name)));
	const propertiesNamed = (words: readonly string[]) => {
		const forms = [words, toSingular(words)];
		return distinct(forms.flatMap((form) => (callers.get(nameKey(form)) ?? []).map(([node]) => node)));
	};
	const types = distinct([
		...propertiesNamed(["type"]).filter((node) => graph.termAt(node).value === RDF_TYPE),
		...propertiesNamed(["instance"]),
		...propertiesNamed(["category"]),
	]);
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	const isClass = (node: number) =>
		(types.some((predicate) => graph.has({ predicate, object: node })) && !isQuestion(graph, node)) ||
		(subClassOf !== 0 && graph.has({ predicate: subClassOf, subject: node })) ||
		names.kindOf(node) === "class";
	const { classesOfName, classesKeyed } = createClassNames(graph, types);
	const propertiesByKey = memoized(() => byKey(propertyNames()));
	const propertyWords = memoized(() => new Set(propertyNames().flatMap(([, name]) => name)));
	const kinds = memoized(() => kindsInIris(graph, types));
	return {
		types,
		namesOf,
		propertyWords,
		propertyNames,
		classesKeyed,
		propertiesKeyed: (keys) => propertiesByKey()(keys),
		classesNamed: (words) => {
			const exact = [words, toSingular(words)].flatMap((form) => names.named(nameKey(form)));
			const found = withoutFolders(graph, distinct(exact).filter(isClass));
			if (found.length > 0) return found;
			const like = withoutFolders(graph, classesOfName(words));
			return like.length === 1 ? like : [];
		},
		valuesNamed: (words) =>
			names.named(nameKey(words)).filter((node) => graph.termAt(node).termType === "Literal"),
		classesOfKind: (words) => kinds().get(nameKey(toSingular(words))) ?? [],
		propertiesNamed,
	};
}

function createClassNames(graph: Graph, types: readonly number[]) {
	const called = memoized(() => classNamesIn(graph, types, namesIn));
	const begun = memoized(() => classNamesIn(graph, types, beginningsOf));
	const calledAs = memoized(() => byEnding(called()));
	const begunAs = memoized(() => byEnding(begun()));
	const keyed = memoized(() => byKey([...called(), ...begun()]));
	return {
		/** Classes whose name ends with the words, with or without a final year, date or "list". */
		classesOfName: (words: readonly string[]) => {
			const whole = kindsOf(words, calledAs()).filter((node) => namesSeveral(graph, node, words));
			return whole.length > 0 ? whole : kindsOf(words, begunAs());
		},
		classesKeyed: (keys: readonly string[]) => keyed()(keys),
	};
}

/** Whether a longer heading may name a list: "Team members" are members, but "Container state" are not states. */
function namesSeveral(graph: Graph, node: number, words: readonly string[]): boolean {
	if (!graph.termAt(node).value.startsWith(KINDS)) return true;
	return namesIn(graph, node).some((name) => name.length <= words.length || isPlural(name));
}

/** The segment before the last one in an IRI: `platform` in `https://club.example/id/platform/forge`. */
export function kindInIri(graph: Graph, node: number): string {
	return kindsOfNodes(graph)(node);
}

const MOST_CACHED_KINDS = 100_000;

const kindsOfNodes = perVersion((graph: Graph) =>
	memoize((node: number) => {
		const term = graph.termAt(node);
		if (term.termType !== "NamedNode") return "";
		const segment = /\/([^/#?]+)[/#][^/#?]+$/.exec(term.value)?.[1] ?? "";
		return nameKey(toSingular(nameWords(segment)));
	}, MOST_CACHED_KINDS),
);

/** Classes by the kind, if the IRIs of all members of the class have the same kind. */
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

/** Drops "has", "is" and "of", so that `hasSupplier` and `memberOf` are named by "supplier" and "member". */
function bare(name: readonly string[]): readonly string[] {
	const start = name[0] === "has" || name[0] === "is" ? 1 : 0;
	return name.slice(start, name.at(-1) === "of" ? -1 : undefined);
}

function createPropertyNames(graph: Graph, names: NameIndex): Vocabulary["namesOf"] {
	/** Nodes with the same opaque name: Wikidata labels `wd:P31`, but states facts with `wdt:P31`. */
	const twinsOf = (node: number) => {
		const local = localNameOf(graph.termAt(node).value);
		return OPAQUE.test(local) ? names.named(keyOf(local)) : [node];
	};
	return memoize((predicate: number) => twinsOf(predicate).flatMap((node) => namesIn(graph, node)));
}

/** Classes whose names end with the words: "blog posts" means `BlogPosting`, "trials" means `MedicalTrial`. */
function kindsOf(words: readonly string[], endings: Endings): number[] {
	const wanted = toSingular(words).map(englishStem);
	const like = endings.get(wanted.at(-1) ?? "") ?? [];
	const named = like.filter(({ stems }) => endsIn(stems, wanted));
	return distinct(named.map(({ node }) => node));
}

export function endsIn(words: readonly string[], end: readonly string[]): boolean {
	const start = words.length - end.length;
	return start >= 0 && end.every((word, index) => words[start + index] === word);
}

type Endings = ReturnType<typeof byEnding>;

function byEnding(names: readonly Name[]) {
	const stemOf = memoize(englishStem);
	const stemmed = names.map(([node, name]) => ({ node, stems: toSingular(name).map(stemOf) }));
	return Map.groupBy(stemmed, ({ stems }) => stems.at(-1) ?? "");
}

/** Finds names by key. The keys of "Bücher" and "Käufer" also find `buecher` and `Kaeufer`. */
function byKey(names: readonly Name[]): (keys: readonly string[]) => Name[] {
	const known = new Map<string, Name[]>();
	for (const name of names) {
		const key = nameKey(name[1]);
		for (const spelled of new Set([key, key.replace(/(?<=[aou])e/g, "")]))
			known.set(spelled, [...(known.get(spelled) ?? []), name]);
	}
	return (keys) => keys.flatMap((key) => known.get(key) ?? []);
}

/** Removes classes that represent the documents of a folder, unless there are no other classes. */
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

function classNamesIn(
	graph: Graph,
	types: readonly number[],
	namesOf: (graph: Graph, node: number) => string[][],
): Name[] {
	return (
		[...classesOf(graph, types)]
			// Only the whole name of a folder may describe the files in the folder.
			.filter((node) => !isQuestion(graph, node) && !graph.termAt(node).value.startsWith(FOLDERS))
			.flatMap((node) => namesOf(graph, node).map((name): Name => [node, name]))
	);
}

/** Whether the class is a heading with a question. Items below it answer the question and are not members. */
function isQuestion(graph: Graph, node: number): boolean {
	return /\?\s*$|^\s*(?:what|how|why|when|where|who|was|wie|warum|wann|wo|wer)\s/i.test(labelIn(graph, node));
}

function namesIn(graph: Graph, node: number): string[][] {
	const labels = Array.from(graph.walk({ subject: node })).filter(({ predicate }) =>
		isNaming(graph.termAt(predicate).value),
	);
	const told = labels.map(({ object }) => graph.termAt(object).value);
	return [withoutCamelCase(lastSegment(graph.termAt(node).value)), ...told].map(nameWords);
}

const NUMBERED =
	/^(?<name>.*?\p{L})(?:(?:[\s_-]\p{L}*\d+)+|[\s_-](?:data|dataset|list|table|register|log|overview|daten|liste|tabelle|übersicht))$/iu;

/** The name of a table without a final number or "list": `nests_2025`, `Repair list`. */
function beginningsOf(graph: Graph, node: number): string[][] {
	if (!graph.termAt(node).value.startsWith(KINDS)) return [];
	const { name } = NUMBERED.exec(labelIn(graph, node))?.groups ?? {};
	return name === undefined ? [] : [nameWords(name)];
}

function withoutCamelCase(name: string): string {
	return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
}

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
