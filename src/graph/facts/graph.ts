import { createHash } from "node:crypto";
import { rememberFor } from "../../base/jobs/lazily.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { literal, namedNode, type Quad, type Subject, type Term } from "../../core/knowledge/rdf.ts";
import { createTexts, type Texts } from "./postings.ts";
import { createQuadTable, type NumberPattern, type NumberQuad, type QuadTable } from "./quadTable.ts";

/** A quad of a document. Labels of blank nodes are unique among all documents. */
export interface GraphQuad extends Quad {
	readonly document: string;
}

/** Terms that a quad must have; an absent field matches every term. Blank nodes have the graph's own labels. */
export interface Pattern {
	readonly subject?: Subject;
	readonly predicate?: string;
	readonly object?: Term;
	readonly document?: string;
}

export type Graph = ReturnType<typeof createGraph>;

export function createGraph() {
	const rowsByDocument = new Map<string, readonly number[]>();
	const versions = new Map<string, number>();
	const [dictionary, table] = [createDictionary(), createQuadTable()];
	const state = { dictionary, table, rowsByDocument };
	let version = 0;
	const remove = (document: string): void => {
		for (const row of rowsByDocument.get(document) ?? []) removeRow(row, state);
		rowsByDocument.delete(document);
		versions.delete(document);
		version++;
	};
	return {
		get size() {
			return table.size;
		},
		get version() {
			return version;
		},
		/** The documents, each with the version of the graph that added the document. */
		documents: (): ReadonlyMap<string, number> => versions,
		replace: (document: string, quads: readonly Quad[]): void => {
			remove(document);
			rowsByDocument.set(document, addRows(document, quads, state));
			versions.set(document, version);
		},
		remove,
		/** The graph must not change during the iteration. */
		match: function* (pattern: Pattern): Generator<GraphQuad> {
			const numbers = toNumbers(pattern, dictionary);
			for (const row of numbers ? numberedRows(numbers, state) : []) yield readRow(row, state);
		},
		count: (pattern: Pattern): number => countRows(pattern, state),
		/** Quads as numbers: all quads, or those that match the pattern. The numbers are valid until the next change. */
		walk: function* (pattern?: NumberPattern): Generator<NumberQuad> {
			const rows = pattern ? numberedRows(pattern, state) : allRows(state);
			for (const row of rows) yield table.quadAt(row);
		},
		/** The pattern must have a subject, a predicate or an object. */
		has: table.has,
		predicates: table.predicates,
		termAt: dictionary.termOf,
		/** 0 if the graph does not contain the term. */
		numberOf: dictionary.find,
	};
}

interface GraphState {
	readonly dictionary: Dictionary;
	readonly table: QuadTable;
	readonly rowsByDocument: ReadonlyMap<string, readonly number[]>;
}

function addRows(uri: string, quads: readonly Quad[], { table, dictionary }: GraphState): number[] {
	if (quads.length === 0) return [];
	const scopeLabel = createLabelScope(uri);
	const document = dictionary.acquire(namedNode(uri), quads.length);
	// A document's quads share one object per term, so that most terms need no lookup by text.
	const numbers = new Map<Term, number>();
	const numberOf = (term: Term): number => {
		const known = numbers.get(term);
		if (known === undefined) {
			const isBlank = term.termType === "BlankNode";
			const number = dictionary.acquire(isBlank ? { ...term, value: scopeLabel(term.value) } : term);
			numbers.set(term, number);
			return number;
		}
		dictionary.retain(known);
		return known;
	};
	return quads.map((quad) => {
		const subject = numberOf(quad.subject);
		const predicate = numberOf(quad.predicate);
		const object = numberOf(quad.object);
		const graph = quad.graph ? numberOf(quad.graph) : 0;
		return table.add({ subject, predicate, object, graph, document }, quad.lines);
	});
}

function removeRow(row: number, { table, dictionary }: GraphState): void {
	const numbers = table.quadAt(row);
	table.remove(row);
	for (const number of Object.values(numbers)) if (number) dictionary.release(number);
}

/** Counts without visiting the rows if the pattern consists of one indexed term. */
function countRows(pattern: Pattern, state: GraphState): number {
	const numbers = toNumbers(pattern, state.dictionary);
	if (!numbers) return 0;
	if (pattern.document === undefined && Object.keys(numbers).length === 1)
		return state.table.estimate(numbers);
	let count = 0;
	for (const _ of numberedRows(numbers, state)) count++;
	return count;
}

function numberedRows(numbers: NumberPattern, state: GraphState): Generator<number> {
	const { dictionary, table, rowsByDocument } = state;
	const rowsOfDocument = numbers.document && rowsByDocument.get(dictionary.termOf(numbers.document).value);
	const isShorter = table.estimate(numbers) < (rowsOfDocument ? rowsOfDocument.length : table.size);
	return isShorter ? table.rows(numbers) : rowsAmong(rowsOfDocument || allRows(state), numbers, table);
}

function* rowsAmong(rows: Iterable<number>, numbers: NumberPattern, table: QuadTable): Generator<number> {
	for (const row of rows) if (table.isMatch(row, numbers)) yield row;
}

function* allRows({ rowsByDocument }: GraphState): Generator<number> {
	for (const rows of rowsByDocument.values()) yield* rows;
}

/** `undefined` if the graph does not contain a term of the pattern, so that nothing can match. */
function toNumbers(pattern: Pattern, dictionary: Dictionary): NumberPattern | undefined {
	const { subject, predicate, object, document } = pattern;
	const numbers: NumberPattern = {
		...(subject && { subject: dictionary.find(subject) }),
		...(predicate !== undefined && { predicate: dictionary.find(namedNode(predicate)) }),
		...(object && { object: dictionary.find(object) }),
		...(document !== undefined && { document: dictionary.find(namedNode(document)) }),
	};
	return Object.values(numbers).includes(0) ? undefined : numbers;
}

function readRow(row: number, { table, dictionary }: GraphState): GraphQuad {
	const numbers = table.quadAt(row);
	return {
		subject: dictionary.termOf(numbers.subject) as Subject,
		predicate: namedNode(dictionary.termOf(numbers.predicate).value),
		object: dictionary.termOf(numbers.object),
		...(numbers.graph && { graph: dictionary.termOf(numbers.graph) as Subject }),
		lines: table.linesAt(row),
		document: dictionary.termOf(numbers.document).value,
	};
}

/** Numbers terms from 1; 0 means “no term”. The number of a term is freed with the last reference to the term. */
type Dictionary = ReturnType<typeof createDictionary>;

function createDictionary() {
	const texts = createTexts();
	// Datatypes and languages are few and long, so the key of a literal contains their number instead.
	const annotations = createTexts();
	return {
		acquire: (term: Term, references?: number) => texts.acquire(keyOf(term, annotations), references),
		retain: texts.retain,
		release: texts.release,
		find: (term: Term) => texts.find(keyOf(term, annotations)),
		termOf: (number: number) => termOf(texts.textOf(number), annotations),
	};
}

/** The first character is the kind of term, and makes the key a new string: a slice would keep a file in memory. */
function keyOf(term: Term, annotations: Texts): string {
	if (term.termType === "NamedNode") return `<${term.value}`;
	if (term.termType === "BlankNode") return `_${term.value}`;
	const annotation = term.language === undefined ? term.datatype : `@${term.language}`;
	return `"${annotations.find(annotation) || annotations.acquire(annotation)}"${term.value}`;
}

function termOf(key: string, annotations: Texts): Term {
	if (key.startsWith("<")) return namedNode(key.slice(1));
	if (key.startsWith("_")) return { termType: "BlankNode", value: key.slice(1) };
	const close = key.indexOf('"', 1);
	const value = key.slice(close + 1);
	const annotation = annotations.textOf(Number(key.slice(1, close)));
	return annotation.startsWith("@") ? literal(value, "", annotation.slice(1)) : literal(value, annotation);
}

/** Caches the result of `read` until the graph changes. */
export function perVersion<Value, More extends readonly unknown[]>(
	read: (graph: Graph, ...more: More) => Value,
) {
	const remembered = rememberFor((graph: Graph, _version: number, ...more: More) => read(graph, ...more));
	return (graph: Graph, ...more: More): Value => remembered(graph, graph.version, ...more);
}

export interface GraphSource {
	readonly document: string;
	readonly lines: LineRange;
}

export function compareSources(a: GraphSource, b: GraphSource): number {
	return compareTexts(a.document, b.document) || a.lines.start - b.lines.start;
}

/** Makes blank-node labels unique among documents by a suffix from the document's URI: `_:b1.3f2a9c10de`. */
export function createLabelScope(document: string): (label: string) => string {
	let suffix: string | undefined;
	return (label) => {
		// Hash on first use, because most documents have no blank nodes.
		suffix ??= createHash("sha256").update(document).digest("hex").slice(0, 10);
		return `${label}.${suffix}`;
	};
}
