import { setImmediate } from "node:timers/promises";
import type { Term } from "../../core/rdf.ts";
import type { Graph } from "./graph.ts";
import { localNameOf } from "./iriParts.ts";
import { isNaming } from "./labels.ts";
import { nameKey, nameWords } from "./nameWords.ts";
import { createNumberLists } from "./numberLists.ts";
import type { NumberPattern } from "./quadTable.ts";
import { isIdentifying } from "./sameThings.ts";
import { RDF_TYPE } from "./vocabulary.ts";

/** Which nodes of the graph have a name. Nodes are the graph's numbers, and hold until its next change. */
export interface NameIndex {
	/** Brings it in step with the graph: what has changed since is read again, document by document. */
	refresh(): Promise<void>;
	/** The nodes with this name, by its key. */
	named(key: string): readonly number[];
	/** The nodes that have this word in a name, each once for every such name; at most `limit` of them. */
	withWord(word: string, limit: number): readonly number[];
	/** How many names have this word. */
	frequencyOf(word: string): number;
	/** What part a node plays: a class, a property, or a thing that is neither. */
	kindOf(node: number): NodeKind;
	/** Names there are. */
	readonly size: number;
}

export type NodeKind = "class" | "property" | "thing";

/** Local names of properties whose value is another name of their subject, in whatever vocabulary. */
const OTHER_NAMES = new Set(["altlabel", "alternatename", "hiddenlabel", "nick", "nickname", "alias", "sku"]);

/** Characters; what is longer is a text, not a name. */
const LONGEST_NAME = 100;

/** Names that are read before other work of the process gets its turn: some milliseconds. */
const TURN_NAMES = 5000;

/** A name that more have tells nothing of the others. */
const MOST_NAMESAKES = 50;

/** Words; a value that has more is a text. */
const LONGEST_VALUE = 4;

const HAS_LETTER = /\p{L}/u;

interface Name {
	readonly node: number;
	readonly words: readonly string[];
	/** Whether one of its words may stand for it. */
	readonly hasParts: boolean;
}

export function createNameIndex(graph: Graph): NameIndex {
	const table = createNameTable();
	const documents = new Map<string, { readonly version: number; readonly names: readonly number[] }>();
	let seen = -1;
	let last: Promise<void> = Promise.resolve();
	return {
		refresh: () => {
			last = last.then(bringInStep);
			return last;
		},
		named: table.named,
		withWord: table.withWord,
		frequencyOf: table.frequencyOf,
		kindOf: (node) => kindOf(graph, node),
		get size() {
			return table.size;
		},
	};

	async function bringInStep(): Promise<void> {
		while (seen !== graph.version) {
			const { version } = graph;
			for (const document of [...documents.keys()]) if (!graph.documents().has(document)) forget(document);
			await readChanged();
			seen = version;
		}
	}

	async function readChanged(): Promise<void> {
		let read = 0;
		for (const [document, version] of [...graph.documents()]) {
			if (documents.get(document)?.version === version) continue;
			forget(document);
			const names = namesIn(graph, document).map(table.add);
			documents.set(document, { version, names });
			read += names.length;
			if (read < TURN_NAMES) continue;
			read = 0;
			await setImmediate();
		}
	}

	function forget(document: string): void {
		for (const number of documents.get(document)?.names ?? []) table.remove(number);
		documents.delete(document);
	}
}

/** Names, found by their keys and by their words. Each has a number of its own. */
function createNameTable() {
	const names = new Map<number, Name>();
	const [keys, words] = [createNumberLists(), createNumberLists()];
	let next = 0;
	const nodesOf = (numbers: readonly number[]) => numbers.flatMap((number) => names.get(number)?.node ?? []);
	return {
		named: (key: string) => [...new Set(nodesOf(keys.first(key, MOST_NAMESAKES)))],
		withWord: (word: string, limit: number) => nodesOf(words.first(word, limit)),
		frequencyOf: words.count,
		add: (name: Name): number => {
			const number = next++;
			names.set(number, name);
			keys.add(nameKey(name.words), number);
			if (name.hasParts) for (const word of new Set(name.words)) words.add(word, number);
			return number;
		},
		remove: (number: number) => {
			const name = names.get(number);
			names.delete(number);
			keys.remove(nameKey(name?.words ?? []), number);
			for (const word of new Set(name?.words)) words.remove(word, number);
		},
		get size() {
			return names.size;
		},
	};
}

/**
 * Every name that a document gives to nodes, the last parts of their IRIs, and values that are short enough for a name:
 * "Toulouse" leads to all that lies there. Empty where the document has just gone.
 */
function namesIn(graph: Graph, document: string): Name[] {
	const number = graph.numberOf({ termType: "NamedNode", value: document });
	if (number === 0) return [];
	const names: Name[] = [];
	const nodes = new Set<number>();
	const naming = new Map<number, boolean>();
	for (const { subject, predicate, object } of graph.walk({ document: number })) {
		nodes.add(subject);
		const isName = naming.get(predicate) ?? givesName(graph.termAt(predicate).value);
		naming.set(predicate, isName);
		if (isName) names.push(...toNames(subject, graph.termAt(object), "label"));
		else nodes.add(object);
	}
	for (const node of nodes) names.push(...toNames(node, graph.termAt(node), "self"));
	return names;
}

function toNames(node: number, term: Term, by: "label" | "self"): Name[] {
	const text = textOf(term, by);
	const words = text.length > LONGEST_NAME ? [] : nameWords(text);
	const isValue = by === "self" && term.termType === "Literal";
	if (words.length === 0 || (isValue && words.length > LONGEST_VALUE)) return [];
	return [{ node, words, hasParts: !isValue }];
}

function textOf(term: Term, by: "label" | "self"): string {
	if (term.termType === "Literal") return by === "label" || HAS_LETTER.test(term.value) ? term.value : "";
	return term.termType === "NamedNode" && by === "self" ? localNameIn(term.value) : "";
}

function givesName(predicate: string): boolean {
	return (
		isNaming(predicate) || isIdentifying(predicate) || OTHER_NAMES.has(localNameOf(predicate).toLowerCase())
	);
}

/** Nothing for an address of a file or of a query. */
function localNameIn(iri: string): string {
	if (/\?|\.(?:svg|png|jpe?g|gif|html?)$/.test(iri)) return "";
	const name = localNameOf(iri.replace(/[/#]+$/, ""));
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

function kindOf(graph: Graph, node: number): NodeKind {
	if (isUsed(graph, { predicate: node })) return "property";
	const type = graph.numberOf({ termType: "NamedNode", value: RDF_TYPE });
	if (type === 0) return "thing";
	if (isUsed(graph, { predicate: type, object: node })) return "class";
	for (const { object } of graph.walk({ subject: node, predicate: type })) {
		const declared = localNameOf(graph.termAt(object).value);
		if (declared.endsWith("Property")) return "property";
		if (declared === "Class") return "class";
	}
	return "thing";
}

function isUsed(graph: Graph, pattern: NumberPattern): boolean {
	return !graph.walk(pattern).next().done;
}
