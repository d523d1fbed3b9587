import { localNameOf } from "../../base/rdf/iriParts.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import { followDocuments } from "./followDocuments.ts";
import type { Graph } from "./graph.ts";
import { isNaming } from "./labels.ts";
import { nameKey, nameWords } from "./nameWords.ts";
import { kindOfNode } from "./nodeKind.ts";
import { createNumberLists } from "./numberLists.ts";
import { isIdentifying } from "./sameThings.ts";

/** Which nodes of the graph have a name. Nodes are the graph's numbers, and hold until its next change. */
export interface NameIndex {
	/** Brings it in step with the graph: what has changed since is read again, document by document. */
	refresh(): Promise<void>;
	/** The nodes with this name, by its key. */
	named(key: string): readonly number[];
	/** At most `limit` nodes with this word in a name, each once for every such name. */
	withWord(word: string, limit: number): readonly number[];
	/** How many names have this word. */
	frequencyOf(word: string): number;
	/** What part a node plays: a class, a property, or a thing that is neither. */
	kindOf(node: number): ReturnType<typeof kindOfNode>;
	/** Names there are. */
	readonly size: number;
}

/** Local names of properties whose value is another name of their subject, in whatever vocabulary. */
const OTHER_NAMES = new Set(["altlabel", "alternatename", "hiddenlabel", "nick", "nickname", "alias", "sku"]);

/** Characters; what is longer is a text, not a name. */
const LONGEST_NAME = 100;

/** A name that more have tells nothing of the others. */
const MOST_NAMESAKES = 50;

/** Words; a value that has more is a text. */
const LONGEST_VALUE = 4;

const HAS_LETTER = /\p{L}/u;

interface Name {
	readonly node: number;
	/** With a space between two. */
	readonly words: string;
	/** Whether one of its words may stand for it. */
	readonly hasParts: boolean;
}

/** What was read of a document. */
interface DocumentNames {
	/** Numbers of the names that it gives. */
	readonly given: readonly number[];
	/** The nodes of its statements. */
	readonly nodes: Uint32Array;
}

export function createNameIndex(graph: Graph): NameIndex {
	const table = createNameTable();
	const own = createOwnNames(graph, table);
	const refresh = followDocuments<DocumentNames>(graph, {
		read: (document) => {
			const { names, nodes } = readDocument(graph, document);
			for (const node of nodes) own.add(node);
			return { kept: { given: names.map(table.add), nodes }, work: names.length + nodes.length };
		},
		forget: ({ given, nodes }) => {
			for (const number of given) table.remove(number);
			for (const node of nodes) own.remove(node);
		},
	});
	return {
		refresh,
		named: table.named,
		withWord: table.withWord,
		frequencyOf: table.frequencyOf,
		kindOf: (node) => kindOfNode(graph, node),
		get size() {
			return table.size;
		},
	};
}

type NameTable = ReturnType<typeof createNameTable>;

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
			const own = name.words.split(" ");
			keys.add(nameKey(own), number);
			if (name.hasParts) for (const word of new Set(own)) words.add(word, number);
			return number;
		},
		remove: (number: number) => {
			const own = names.get(number)?.words.split(" ") ?? [];
			names.delete(number);
			keys.remove(nameKey(own), number);
			for (const word of new Set(own)) words.remove(word, number);
		},
		get size() {
			return names.size;
		},
	};
}

/** Names that do not depend on a document: the last part of an IRI, a short value. */
function createOwnNames(graph: Graph, table: NameTable) {
	const known = new Map<number, { documents: number; readonly name: number | undefined }>();
	return {
		add: (node: number) => {
			const found = known.get(node);
			if (found) found.documents++;
			else {
				const name = toName(node, graph.termAt(node), "self");
				known.set(node, { documents: 1, name: name && table.add(name) });
			}
		},
		remove: (node: number) => {
			const found = known.get(node);
			if (!found || --found.documents > 0) return;
			known.delete(node);
			if (found.name !== undefined) table.remove(found.name);
		},
	};
}

/** The names that a document gives to nodes, and the nodes of its statements. */
function readDocument(graph: Graph, document: string): { names: Name[]; nodes: Uint32Array } {
	const number = graph.numberOf({ termType: "NamedNode", value: document });
	const names: Name[] = [];
	const nodes = new Set<number>();
	const naming = new Map<number, boolean>();
	for (const { subject, predicate, object } of number === 0 ? [] : graph.walk({ document: number })) {
		nodes.add(subject);
		const isName = naming.get(predicate) ?? givesName(graph.termAt(predicate).value);
		naming.set(predicate, isName);
		const name = isName ? toName(subject, graph.termAt(object), "label") : undefined;
		if (name) names.push(name);
		else nodes.add(object);
	}
	return { names, nodes: Uint32Array.from(nodes) };
}

/** `undefined` for a text that is no name. A value is one where it is short: "Toulouse" leads to all that lies there. */
function toName(node: number, term: Term, by: "label" | "self"): Name | undefined {
	const text = textOf(term, by);
	const words = text.length > LONGEST_NAME ? [] : nameWords(text);
	const isValue = by === "self" && term.termType === "Literal";
	if (words.length === 0 || (isValue && words.length > LONGEST_VALUE)) return undefined;
	return { node, words: words.join(" "), hasParts: !isValue };
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
