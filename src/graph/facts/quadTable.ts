import type { LineRange } from "../../core/knowledge/source.ts";
import { at, createPostings, type Postings, withRoomFor } from "./postings.ts";

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

/** Quads in one array of numbers, 52 bytes each with their links, found by subject, predicate or object. */
export interface QuadTable {
	readonly size: number;
	/** The new row's number; numbers of removed rows are used again. */
	add(quad: NumberQuad, lines: LineRange): number;
	remove(row: number): void;
	quadAt(row: number): NumberQuad;
	linesAt(row: number): LineRange;
	/** Matching rows, of `candidates` where given; a pattern without subject, predicate and object needs candidates. */
	rows(pattern: NumberPattern, candidates?: Iterable<number>): Generator<number>;
	/** The predicates of all rows, each once. */
	predicates(): number[];
	/** How many rows `rows` looks at without candidates. */
	estimate(pattern: NumberPattern): number;
}

/** A row: subject, predicate, object, graph, document, first line, last line. */
const WIDTH = 7;
const INDEXED = ["subject", "predicate", "object"] as const;

export function createQuadTable(): QuadTable {
	const postings = { subject: createPostings(), predicate: createPostings(), object: createPostings() };
	const free: number[] = [];
	let cells = new Uint32Array(WIDTH * 1024);
	let length = 0;

	const quadAt = (row: number) => readQuad(cells, row * WIDTH);
	return {
		get size() {
			return length - free.length;
		},
		add: (quad, { start, end }) => {
			const row = free.pop() ?? length++;
			cells = withRoomFor(cells, row * WIDTH + WIDTH);
			const { subject, predicate, object, graph, document } = quad;
			cells.set([subject, predicate, object, graph, document, start, end], row * WIDTH);
			for (const name of INDEXED) postings[name].add(quad[name], row);
			return row;
		},
		remove: (row) => {
			const quad = quadAt(row);
			for (const name of INDEXED) postings[name].remove(quad[name], row);
			free.push(row);
		},
		quadAt,
		linesAt: (row) => ({ start: at(cells, row * WIDTH + 5), end: at(cells, row * WIDTH + 6) }),
		rows: function* (pattern, candidates) {
			const list = rarest(pattern, postings);
			for (const row of candidates ?? list?.rows.rows(list.key) ?? [])
				if (isMatch(cells, row * WIDTH, pattern)) yield row;
		},
		predicates: () => postings.predicate.keys(),
		estimate: (pattern) => {
			const list = rarest(pattern, postings);
			return list ? list.rows.count(list.key) : length;
		},
	};
}

function readQuad(cells: Uint32Array, offset: number): NumberQuad {
	return {
		subject: at(cells, offset),
		predicate: at(cells, offset + 1),
		object: at(cells, offset + 2),
		graph: at(cells, offset + 3),
		document: at(cells, offset + 4),
	};
}

function isMatch(cells: Uint32Array, offset: number, pattern: NumberPattern): boolean {
	return (
		isEqualOrAny(cells[offset], pattern.subject) &&
		isEqualOrAny(cells[offset + 1], pattern.predicate) &&
		isEqualOrAny(cells[offset + 2], pattern.object) &&
		isEqualOrAny(cells[offset + 3], pattern.graph) &&
		isEqualOrAny(cells[offset + 4], pattern.document)
	);
}

function isEqualOrAny(value: number | undefined, wanted: number | undefined): boolean {
	return !wanted || value === wanted;
}

/** The shortest list of rows that has all matches. */
function rarest(pattern: NumberPattern, postings: Readonly<Record<(typeof INDEXED)[number], Postings>>) {
	return INDEXED.filter((name) => pattern[name])
		.map((name) => ({ rows: postings[name], key: pattern[name] ?? 0 }))
		.sort((a, b) => a.rows.count(a.key) - b.rows.count(b.key))[0];
}
