import type { LineRange } from "../../core/source.ts";
import { at, createPostings, withRoomFor } from "./postings.ts";

/** A quad of numbers; 0 in `graph` stands for the document's default graph. */
export interface NumberQuad {
	readonly subject: number;
	readonly predicate: number;
	readonly object: number;
	readonly graph: number;
	readonly document: number;
}

/** What a quad must have; absent or 0 matches all. */
export type NumberPattern = Partial<NumberQuad>;

/** Quads in columns, 52 bytes each, found by subject, predicate or object. */
export interface QuadTable {
	readonly size: number;
	/** The new row's number; numbers of removed rows are used again. */
	add(quad: NumberQuad, lines: LineRange): number;
	remove(row: number): void;
	quadAt(row: number): NumberQuad;
	linesAt(row: number): LineRange;
	/** Matching rows, of `candidates` where given; a pattern without subject, predicate and object needs candidates. */
	rows(pattern: NumberPattern, candidates?: Iterable<number>): Generator<number>;
	/** How many rows `rows` looks at without candidates. */
	estimate(pattern: NumberPattern): number;
}

type Column = keyof NumberQuad | keyof LineRange;
const INDEXED = ["subject", "predicate", "object"] as const;

export function createQuadTable(): QuadTable {
	const postings = { subject: createPostings(), predicate: createPostings(), object: createPostings() };
	let columns = columnsOf(() => new Uint32Array(1024));
	const free: number[] = [];
	let length = 0;

	const write = (row: number, quad: NumberQuad, { start, end }: LineRange): void => {
		columns.subject[row] = quad.subject;
		columns.predicate[row] = quad.predicate;
		columns.object[row] = quad.object;
		columns.graph[row] = quad.graph;
		columns.document[row] = quad.document;
		columns.start[row] = start;
		columns.end[row] = end;
	};
	const rarest = (pattern: NumberPattern) =>
		INDEXED.filter((name) => pattern[name])
			.map((name) => ({ rows: postings[name], key: pattern[name] ?? 0 }))
			.sort((a, b) => a.rows.count(a.key) - b.rows.count(b.key))[0];
	const matches = (row: number, { subject, predicate, object, graph, document }: NumberPattern): boolean =>
		isEqualOrAny(columns.subject[row], subject) &&
		isEqualOrAny(columns.predicate[row], predicate) &&
		isEqualOrAny(columns.object[row], object) &&
		isEqualOrAny(columns.graph[row], graph) &&
		isEqualOrAny(columns.document[row], document);

	return {
		get size() {
			return length - free.length;
		},
		add: (quad, lines) => {
			const row = free.pop() ?? length++;
			if (row >= columns.subject.length) columns = columnsOf((name) => withRoomFor(columns[name], row));
			write(row, quad, lines);
			for (const name of INDEXED) postings[name].add(quad[name], row);
			return row;
		},
		remove: (row) => {
			for (const name of INDEXED) postings[name].remove(at(columns[name], row), row);
			free.push(row);
		},
		quadAt: (row) => ({
			subject: at(columns.subject, row),
			predicate: at(columns.predicate, row),
			object: at(columns.object, row),
			graph: at(columns.graph, row),
			document: at(columns.document, row),
		}),
		linesAt: (row) => ({ start: at(columns.start, row), end: at(columns.end, row) }),
		rows: function* (pattern, candidates) {
			const list = rarest(pattern);
			for (const row of candidates ?? list?.rows.rows(list.key) ?? []) if (matches(row, pattern)) yield row;
		},
		estimate: (pattern) => {
			const list = rarest(pattern);
			return list ? list.rows.count(list.key) : length;
		},
	};
}

function isEqualOrAny(value: number | undefined, wanted: number | undefined): boolean {
	return !wanted || value === wanted;
}

function columnsOf(create: (name: Column) => Uint32Array<ArrayBuffer>) {
	return {
		subject: create("subject"),
		predicate: create("predicate"),
		object: create("object"),
		graph: create("graph"),
		document: create("document"),
		start: create("start"),
		end: create("end"),
	};
}
