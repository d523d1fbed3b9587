import { memoize } from "../../base/jobs/lazily.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { decodedPart, localNameOf } from "../../base/rdf/vocabulary.ts";
import { namedNode, type Term } from "../../core/knowledge/rdf.ts";
import { followDocuments } from "./followDocuments.ts";
import type { Graph } from "./graph.ts";
import { isOtherName, kindOfNode, nameKey, nameWords } from "./labels.ts";
import { createColumn, createNumbers, createPostings, createTexts, type Postings } from "./postings.ts";
import { isIdentifying } from "./sameThings.ts";

/** Finds nodes by name. Nodes are the graph's numbers, which are valid until the graph's next change. */
export type NameIndex = ReturnType<typeof createNameIndex>;

/** Maximum number of characters of a name. */
const LONGEST_NAME = 100;
/** Maximum number of words of a literal that counts as a name. */
const LONGEST_VALUE = 4;
/** Maximum number of resources with one name. A more common name identifies none of these resources. */
const MOST_NAMESAKES = 50;

export function createNameIndex(graph: Graph) {
	const table = createNameTable();
	const own = createOwnNames(graph, table);
	const refresh = followDocuments(graph, {
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
		named: (key: string) => [...new Set(table.withKey(key, MOST_NAMESAKES))],
		/** At most `limit` nodes with this word in a name. A node occurs once for each such name. */
		withWord: table.withWord,
		frequencyOf: table.frequencyOf,
		kindOf: (node: number) => kindOfNode(graph, node),
		get size() {
			return table.size;
		},
	};
}

/** Indexes names that no document states: the last part of an IRI, and short values. */
function createOwnNames(graph: Graph, table: NameTable) {
	/** By node: number of documents that contain the node, and number of the node's own name or 0. */
	const [documents, names] = [createColumn(), createColumn()];
	return {
		add: (node: number) => {
			documents.set(node, documents.at(node) + 1);
			if (documents.at(node) > 1) return;
			const name = toName(node, graph.termAt(node), "self");
			names.set(node, name ? table.add(name) : 0);
		},
		remove: (node: number) => {
			documents.set(node, documents.at(node) - 1);
			if (documents.at(node) === 0 && names.at(node) !== 0) table.remove(names.at(node));
		},
	};
}

function readDocument(graph: Graph, document: string): { names: Name[]; nodes: number[] } {
	const number = graph.numberOf(namedNode(document));
	const names: Name[] = [];
	const nodes = new Set<number>();
	const isName = memoize((predicate: number) => givesName(graph.termAt(predicate).value));
	for (const { subject, predicate, object } of number === 0 ? [] : graph.walk({ document: number })) {
		nodes.add(subject);
		const name = isName(predicate) ? toName(subject, graph.termAt(object), "label") : undefined;
		if (name) names.push(name);
		else nodes.add(object);
	}
	return { names, nodes: [...nodes] };
}

/** `undefined` if the text is not a name. A short value is a name: “Toulouse” finds everything located there. */
function toName(node: number, term: Term, by: "label" | "self") {
	const text = textOf(term, by);
	const words = text.length > LONGEST_NAME ? [] : nameWords(text);
	const isValue = by === "self" && term.termType === "Literal";
	if (words.length === 0 || (isValue && words.length > LONGEST_VALUE)) return undefined;
	// A short value is found only by all its words together.
	return { node, words, hasParts: !isValue };
}

function textOf(term: Term, by: "label" | "self"): string {
	if (term.termType === "Literal") return by === "label" || /\p{L}/u.test(term.value) ? term.value : "";
	return term.termType === "NamedNode" && by === "self" ? localNameIn(term.value) : "";
}

function givesName(predicate: string): boolean {
	return isNaming(predicate) || isIdentifying(predicate) || isOtherName(predicate);
}

/** Empty for addresses of files and of queries. */
function localNameIn(iri: string): string {
	if (/\?|\.(?:svg|png|jpe?g|gif|html?)$/.test(iri)) return "";
	return decodedPart(localNameOf(iri.replace(/[/#]+$/, "")));
}

type Name = NonNullable<ReturnType<typeof toName>>;

/** Finds names by key and by word. Each name has its own number, from 1. */
type NameTable = ReturnType<typeof createNameTable>;

/** Typed arrays, because names as objects would take several times the memory. */
function createNameTable() {
	const texts = createTexts();
	const byKey = createPostings();
	const numbers = createNumbers();
	const parts = createParts();
	const [nodes, keys] = [createColumn(), createColumn()];
	return {
		get size() {
			return numbers.size;
		},
		add: ({ node, words, hasParts }: Name) => {
			const number = numbers.take();
			nodes.set(number, node);
			keys.set(number, texts.acquire(nameKey(words)));
			byKey.add(keys.at(number), number);
			if (hasParts) parts.add(number, new Set(words.map((word) => texts.acquire(word))));
			return number;
		},
		remove: (number: number) => {
			byKey.remove(keys.at(number), number);
			texts.release(keys.at(number));
			for (const word of parts.remove(number)) texts.release(word);
			numbers.giveBack(number);
		},
		/** The nodes of at most `limit` names with this key, oldest first. */
		withKey: (key: string, limit: number) => firstOf(byKey, texts.find(key), limit).map(nodes.at),
		withWord: (word: string, limit: number) => parts.withWord(texts.find(word), limit).map(nodes.at),
		frequencyOf: (word: string) => parts.count(texts.find(word)),
	};
}

function firstOf(postings: Postings, key: number, limit: number): number[] {
	const rows: number[] = [];
	let row = postings.first(key);
	for (let left = Math.min(limit, postings.count(key)); left > 0; left--, row = postings.next(row))
		rows.push(row);
	return rows;
}

/** Index of the words of names. A part is one word of one name; the parts of a name form a linked list. */
function createParts() {
	const byWord = createPostings();
	const parts = createNumbers();
	const [firsts, names, words, next] = [createColumn(), createColumn(), createColumn(), createColumn()];
	return {
		add: (name: number, own: Iterable<number>) => {
			for (const word of own) {
				const part = parts.take();
				names.set(part, name);
				words.set(part, word);
				next.set(part, firsts.at(name));
				firsts.set(name, part);
				byWord.add(word, part);
			}
		},
		remove: (name: number): number[] => {
			const own: number[] = [];
			for (let part = firsts.at(name); part !== 0; part = next.at(part)) {
				own.push(words.at(part));
				byWord.remove(words.at(part), part);
				parts.giveBack(part);
			}
			firsts.set(name, 0);
			return own;
		},
		count: byWord.count,
		withWord: (word: number, limit: number) => firstOf(byWord, word, limit).map(names.at),
	};
}
