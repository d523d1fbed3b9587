import type { LineRange } from "../../core/knowledge/citation.ts";
import { createNumbers, createPostings, type Postings, withRoomFor } from "./postings.ts";

/** A quad of term numbers; 0 in `graph` is the document's default graph. */
export interface NumberQuad {
	readonly subject: number;
	readonly predicate: number;
	readonly object: number;
	readonly graph: number;
	readonly document: number;
}

/** Numbers that a quad must have; a missing number or 0 matches every number. */
export type NumberPattern = Partial<NumberQuad>;

/** Quads in one array of numbers. Each quad takes 52 bytes including its links. */
export type QuadTable = ReturnType<typeof createQuadTable>;

/** Numbers per row: subject, predicate, object, graph, document, first line, last line. */
const WIDTH = 7;
const INDEXED = ["subject", "predicate", "object"] as const;

export function createQuadTable() {
	const postings = { subject: createPostings(), predicate: createPostings(), object: createPostings() };
	const numbers = createNumbers();
	let cells = new Uint32Array(WIDTH * 1024);
	const quadAt = (row: number) => readQuad(cells, row * WIDTH);
	const isMatch = (row: number, pattern: NumberPattern) => isMatchAt(cells, row * WIDTH, pattern);
	/** Matching rows, oldest first. The pattern must have a subject, a predicate or an object. */
	const rows = function* (pattern: NumberPattern) {
		const rarest = rarestOf(pattern, postings);
		if (!rarest) return;
		let row = rarest.rows.first(rarest.key);
		for (let left = rarest.count; left > 0; left--, row = rarest.rows.next(row))
			if (isMatch(row, pattern)) yield row;
	};
	return {
		get size() {
			return numbers.size;
		},
		/** Returns the new row's number, which may be the number of a removed row. */
		add: (quad: NumberQuad, { start, end }: LineRange) => {
			const row = numbers.take();
			cells = withRoomFor(cells, row * WIDTH + WIDTH);
			const { subject, predicate, object, graph, document } = quad;
			cells.set([subject, predicate, object, graph, document, start, end], row * WIDTH);
			for (const name of INDEXED) postings[name].add(quad[name], row);
			return row;
		},
		remove: (row: number) => {
			const quad = quadAt(row);
			for (const name of INDEXED) postings[name].remove(quad[name], row);
			numbers.giveBack(row);
		},
		quadAt,
		linesAt: (row: number): LineRange => {
			return { start: cells[row * WIDTH + 5] ?? 0, end: cells[row * WIDTH + 6] ?? 0 };
		},
		rows,
		/** No generator, for speed: naming 100,000 nodes calls this function three times per node. */
		has: (pattern: NumberPattern) => {
			const rarest = rarestOf(pattern, postings);
			let row = rarest?.rows.first(rarest.key) ?? 0;
			for (let left = rarest?.count ?? 0; left > 0; left--, row = rarest?.rows.next(row) ?? 0)
				if (isMatch(row, pattern)) return true;
			return false;
		},
		isMatch,
		predicates: () => postings.predicate.keys(),
		/** Number of rows that `rows` would visit, or of all rows if the pattern has no indexed term. */
		estimate: (pattern: NumberPattern) => rarestOf(pattern, postings)?.count ?? numbers.size,
	};
}

function readQuad(cells: Uint32Array, offset: number): NumberQuad {
	return {
		subject: cells[offset] ?? 0,
		predicate: cells[offset + 1] ?? 0,
		object: cells[offset + 2] ?? 0,
		graph: cells[offset + 3] ?? 0,
		document: cells[offset + 4] ?? 0,
	};
}

function isMatchAt(cells: Uint32Array, offset: number, pattern: NumberPattern): boolean {
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

function rarestOf(pattern: NumberPattern, postings: Readonly<Record<(typeof INDEXED)[number], Postings>>) {
	let rarest: { readonly rows: Postings; readonly key: number; readonly count: number } | undefined;
	for (const name of INDEXED) {
		const [key, rows] = [pattern[name], postings[name]];
		if (!key) continue;
		const count = rows.count(key);
		if (!rarest || count < rarest.count) rarest = { rows, key, count };
	}
	return rarest;
}
