import { createHash } from "node:crypto";
import type { Quad, Subject, Term } from "../../core/rdf.ts";
import type { LineRange } from "../../core/source.ts";
import { createDictionary, type Dictionary } from "./dictionary.ts";
import { createQuadTable, type NumberPattern, type NumberQuad, type QuadTable } from "./quadTable.ts";

/** A quad and the document that states it. Its blank nodes have labels that no other document uses. */
export interface GraphQuad extends Quad {
	/** URI. */
	readonly document: string;
}

/** What a quad must have; absent matches all. Blank nodes by the labels that the graph gave out. */
export interface Pattern {
	readonly subject?: Subject;
	readonly predicate?: string;
	readonly object?: Term;
	/** URI. */
	readonly document?: string;
}

/** Where a subject is described. */
export interface Source {
	/** URI. */
	readonly document: string;
	/** From the first line of its quads to the last. */
	readonly lines: LineRange;
}

/** The quads of all documents, in memory. One graph per document: replacing a document removes exactly what it said. */
export interface Graph {
	/** Quads there are. */
	readonly size: number;
	/** Grows with every change. */
	readonly version: number;
	/** The documents that are there, each with the version that brought its quads. */
	documents(): ReadonlyMap<string, number>;
	/** Adds a document, or puts new quads in the place of all its old ones. */
	replace(document: string, quads: readonly Quad[]): void;
	remove(document: string): void;
	clear(): void;
	/** The graph must not change while it is iterated. */
	match(pattern: Pattern): Generator<GraphQuad>;
	count(pattern: Pattern): number;
	/** By document URI. */
	sourcesOf(subject: Subject): Source[];
	/** All quads as numbers, for walks over the whole graph. The numbers hold until the next change. */
	walk(): Generator<NumberQuad>;
	termAt(number: number): Term;
	/** 0 where the term is not there. */
	numberOf(term: Term): number;
}

export function createGraph(): Graph {
	let dictionary = createDictionary();
	let table = createQuadTable();
	const rowsByDocument = new Map<string, Uint32Array>();
	const versions = new Map<string, number>();
	let version = 0;

	const remove = (document: string): void => {
		for (const row of rowsByDocument.get(document) ?? []) removeRow(row, table, dictionary);
		rowsByDocument.delete(document);
		versions.delete(document);
		version++;
	};
	const rowsOf = (pattern: Pattern): Generator<number> => {
		const numbers = toNumbers(pattern, dictionary);
		if (!numbers) return table.rows({}, []);
		const { document } = pattern;
		const candidates = document === undefined ? undefined : rowsByDocument.get(document);
		const estimate = table.estimate(numbers);
		if (estimate < (candidates?.length ?? table.size)) return table.rows(numbers);
		return table.rows(numbers, candidates ?? allRows(rowsByDocument));
	};
	const quadAt = (row: number): GraphQuad => fromNumbers(table.quadAt(row), table.linesAt(row), dictionary);

	return {
		get size() {
			return table.size;
		},
		get version() {
			return version;
		},
		documents: () => versions,
		replace: (document, quads) => {
			remove(document);
			rowsByDocument.set(document, addRows(document, quads, table, dictionary));
			versions.set(document, version);
		},
		remove,
		clear: () => {
			dictionary = createDictionary();
			table = createQuadTable();
			rowsByDocument.clear();
			versions.clear();
			version++;
		},
		match: (pattern) => rowsOf(pattern).map(quadAt),
		count: (pattern) => rowsOf(pattern).reduce((count) => count + 1, 0),
		sourcesOf: (subject) => spansByDocument(rowsOf({ subject }).map(quadAt)),
		walk: () => allRows(rowsByDocument).map(table.quadAt),
		termAt: (number) => dictionary.termOf(number),
		numberOf: (term) => dictionary.find(term),
	};
}

function* allRows(rowsByDocument: ReadonlyMap<string, Uint32Array>): Generator<number> {
	for (const rows of rowsByDocument.values()) yield* rows;
}

function addRows(
	document: string,
	quads: readonly Quad[],
	table: QuadTable,
	dictionary: Dictionary,
): Uint32Array {
	const scope = createHash("sha256").update(document).digest("hex").slice(0, 10);
	const numberOf = (term: Term): number =>
		dictionary.acquire(term.termType === "BlankNode" ? { ...term, value: `${term.value}.${scope}` } : term);
	return Uint32Array.from(quads, ({ subject, predicate, object, graph, lines }) =>
		table.add(
			{
				subject: numberOf(subject),
				predicate: numberOf(predicate),
				object: numberOf(object),
				graph: graph ? numberOf(graph) : 0,
				document: numberOf({ termType: "NamedNode", value: document }),
			},
			lines,
		),
	);
}

function removeRow(row: number, table: QuadTable, dictionary: Dictionary): void {
	const numbers = table.quadAt(row);
	table.remove(row);
	for (const number of Object.values(numbers)) if (number) dictionary.release(number);
}

/** `undefined` where the pattern has a term that the graph does not know: nothing can match. */
function toNumbers(pattern: Pattern, dictionary: Dictionary): NumberPattern | undefined {
	const { subject, predicate, object, document } = pattern;
	const numbers: NumberPattern = {
		...(subject && { subject: dictionary.find(subject) }),
		...(predicate !== undefined && { predicate: findIri(predicate, dictionary) }),
		...(object && { object: dictionary.find(object) }),
		...(document !== undefined && { document: findIri(document, dictionary) }),
	};
	return Object.values(numbers).includes(0) ? undefined : numbers;
}

function findIri(value: string, dictionary: Dictionary): number {
	return dictionary.find({ termType: "NamedNode", value });
}

function fromNumbers(numbers: NumberQuad, lines: LineRange, dictionary: Dictionary): GraphQuad {
	return {
		subject: subjectOf(dictionary.termOf(numbers.subject)),
		predicate: { termType: "NamedNode", value: dictionary.termOf(numbers.predicate).value },
		object: dictionary.termOf(numbers.object),
		...(numbers.graph && { graph: subjectOf(dictionary.termOf(numbers.graph)) }),
		lines,
		document: dictionary.termOf(numbers.document).value,
	};
}

function subjectOf(term: Term): Subject {
	if (term.termType === "Literal") throw new TypeError("A literal stands where only a subject can.");
	return term;
}

function spansByDocument(quads: Iterable<GraphQuad>): Source[] {
	const spans = new Map<string, LineRange>();
	for (const { document, lines } of quads) {
		const span = spans.get(document) ?? lines;
		spans.set(document, { start: Math.min(span.start, lines.start), end: Math.max(span.end, lines.end) });
	}
	return [...spans]
		.map(([document, lines]) => ({ document, lines }))
		.sort((a, b) => (a.document < b.document ? -1 : 1));
}
