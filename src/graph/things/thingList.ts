import { localNameOf, namespaceOf, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { createBestMatches } from "../../base/words/bestMatches.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { FoundThing, ThingKind } from "../../core/knowledge/graph.ts";
import { namedNode } from "../../core/knowledge/rdf.ts";
import { followDocuments } from "../facts/followDocuments.ts";
import type { Graph } from "../facts/graph.ts";
import { kindOfNode, labelOf, nameWords, otherNamesOf } from "../facts/labels.ts";
import { foundThing } from "./thingView.ts";

/** Finds resources with an IRI by the beginnings of words in their names. */
export type ThingList = ReturnType<typeof createThingList>;

interface ListQuery {
	readonly words: string;
	readonly kinds: readonly ThingKind[];
	readonly within: string;
	readonly limit: number;
}

type Entry = NonNullable<ReturnType<typeof readEntry>>;

/** Number of first letters by which entries are indexed, enough to leave few candidates. */
const START = 2;

const MOST_CHARACTERS = 200;
const MOST_OTHERS = 20;

type Told = ReturnType<typeof readDocument>;

export function createThingList(graph: Graph) {
	const entries = createEntries();
	const namespaces = new Map<string, number>();
	const touched = new Set<number>();
	const take = ({ nodes, namespaces: used }: Told, by: 1 | -1) => {
		for (const node of nodes) touched.add(node);
		for (const namespace of used) namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + by);
	};
	const refresh = followDocuments<Told>(graph, {
		read: (document) => {
			const kept = readDocument(graph, document);
			take(kept, 1);
			return { kept, work: kept.nodes.length };
		},
		forget: (kept) => take(kept, -1),
		settle: () => {
			for (const node of touched) entries.put(node, readEntry(graph, node));
			touched.clear();
		},
	});
	return {
		refresh,
		namespaces: () => new Set([...namespaces].flatMap(([namespace, count]) => (count > 0 ? namespace : []))),
		find: (query: ListQuery): FoundThing[] =>
			bestOf(entries, query).map((entry) => {
				const alias = aliasFor(query.words, entry);
				return { ...foundThing(graph, namedNode(entry.iri)), ...(alias !== undefined && { alias }) };
			}),
	};
}

type Entries = ReturnType<typeof createEntries>;

function createEntries() {
	const entries = new Map<number, Entry>();
	const nodes = new Map<string, Set<number>>();
	const startsOf = ({ words }: Entry) => new Set(wordList(words).map((word) => word.slice(0, START)));
	return {
		at: (node: number) => entries.get(node),
		put: (node: number, entry: Entry | undefined) => {
			const former = entries.get(node);
			for (const start of former ? startsOf(former) : []) nodes.get(start)?.delete(node);
			entries.delete(node);
			if (!entry) return;
			entries.set(node, entry);
			for (const start of startsOf(entry)) {
				const known = nodes.get(start) ?? new Set();
				nodes.set(start, known.add(node));
			}
		},
		beginning: (word: string): Iterable<number> => {
			if (word.length >= START) return nodes.get(word.slice(0, START)) ?? [];
			const starts = [...nodes.keys()].filter((start) => start.startsWith(word));
			return word === "" ? entries.keys() : new Set(starts.flatMap((start) => [...(nodes.get(start) ?? [])]));
		},
	};
}

function bestOf(entries: Entries, { words: text, kinds, within, limit }: ListQuery): Entry[] {
	const typed = nameWords(text);
	const beginnings = typed.map((word) => ` ${word}`);
	const rankOf = createRank(beginnings.join(""));
	const best = createBestMatches(limit, (node, other) => comesBefore(entries.at(node), entries.at(other)));
	const longest = typed.reduce((one, other) => (other.length > one.length ? other : one), "");
	for (const node of entries.beginning(longest)) {
		const entry = entries.at(node);
		if (!entry || !kinds.includes(entry.kind) || !entry.iri.startsWith(within)) continue;
		if (beginnings.every((each) => entry.words.includes(each))) best.offer(node, -rankOf(entry));
	}
	return best.matches().flatMap(({ row }) => entries.at(row) ?? []);
}

function comesBefore(entry: Entry | undefined, other: Entry | undefined): boolean {
	if (!entry || !other) return false;
	return (compareTexts(entry.label, other.label) || compareTexts(entry.iri, other.iri)) < 0;
}

/** Lower is better: names equal to the words, then names that begin with the words; shorter names first. */
function createRank(beginning: string): (entry: Entry) => number {
	const whole = `${beginning} `;
	return ({ words, label }) => {
		if (words.includes(`|${whole}|`)) return label.length + 500;
		if (!words.startsWith(beginning)) return label.length + 2000;
		return label.length + (words.startsWith(whole) ? 0 : 1000);
	};
}

/** The alias that matches the words, unless the label matches. */
function aliasFor(typed: string, { label, others }: Entry): string | undefined {
	const wanted = nameWords(typed);
	const fits = (name: string) => {
		const words = nameWords(name);
		return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
	};
	return fits(label) ? undefined : others.find(fits);
}

/** `undefined` for resources without an IRI or without statements. In `words`, bars enclose each alternative name. */
function readEntry(graph: Graph, node: number) {
	const term = graph.termAt(node);
	if (term.termType !== "NamedNode") return undefined;
	const kind = kindOfNode(graph, node);
	if (kind === "thing" && !graph.has({ subject: node })) return undefined;
	const local = localNameOf(term.value.replace(/[/#]+$/, ""));
	const label = (labelOf(graph, term) ?? (local || term.value)).slice(0, MOST_CHARACTERS);
	const others = otherNamesOf(graph, term).slice(0, MOST_OTHERS);
	// `worksFor` is also found by `for`.
	const name = local.slice(0, MOST_CHARACTERS);
	const apart = name.replace(/([a-z])([A-Z])/g, "$1 $2");
	const words = ["", ...nameWords(label), ...nameWords(`${name} ${apart}`)];
	for (const other of others) words.push("|", ...nameWords(other.slice(0, MOST_CHARACTERS)), "|");
	return { iri: term.value, label, others, words: `${words.join(" ")} `, kind };
}

/** `nodes` are the resources that a document describes, and the classes and properties that it uses. */
function readDocument(graph: Graph, document: string) {
	const iri = (value: string) => graph.numberOf(namedNode(value));
	const [number, type, subClassOf] = [document, RDF_TYPE, `${RDFS}subClassOf`].map(iri);
	const quads = number ? [...graph.walk({ document: number })] : [];
	const nodes = new Set<number>();
	for (const { subject, predicate, object } of quads) {
		nodes.add(subject).add(predicate);
		if (predicate === type || predicate === subClassOf) nodes.add(object);
	}
	const used = quads.map(({ predicate, object }) => (predicate === type ? object : predicate));
	const vocabulary = [...new Set(used)].map((node) => graph.termAt(node).value);
	const values = [...new Set(quads.map(({ object }) => object))].map((node) => graph.termAt(node));
	const datatypes = values.flatMap((term) => (term.termType === "Literal" ? term.datatype : []));
	const namespaces = new Set([...vocabulary, ...new Set(datatypes)].map(namespaceOf));
	return { nodes: Uint32Array.from(nodes), namespaces: [...namespaces] };
}
