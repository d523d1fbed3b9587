import type { Pacer } from "../base/jobs/pacer.ts";
import { LANGUAGES, type Language } from "../base/language/languages.ts";
import { firstIndex } from "../base/values.ts";
import { markOf } from "./analyzer.ts";
import { withRoomFor } from "./growable.ts";
import { HIGHEST_COUNT, type PassageTerms } from "./termCounts.ts";

/** Rows that contain a term, in ascending order, and the count of the term in each row. */
export interface Postings {
	readonly rows: Uint32Array;
	readonly counts: Uint8Array;
}

/** The postings of all terms, one after the other. */
export interface PackedPostings extends Postings {
	readonly terms: readonly string[];
	readonly lengths: Uint32Array;
}

/** Returns the new number of a row; `undefined` if the row is dropped. */
type Renumber = (row: number) => number | undefined;

export type InvertedIndex = ReturnType<typeof createInvertedIndex>;

export const NO_POSTINGS: PackedPostings = {
	terms: [],
	lengths: new Uint32Array(0),
	rows: new Uint32Array(0),
	counts: new Uint8Array(0),
};

type State = ReturnType<typeof createState>;

/** Keeps all postings in one pool. A term's slice moves to the end and doubles its capacity when it is full. */
function createState({ terms, lengths, rows, counts }: PackedPostings) {
	return {
		ids: new Map(terms.map((term, id) => [term, id])),
		/** By vocabulary, the ids of the vocabulary's terms, plus one; 0 if an id was not looked up yet. */
		vocabularies: new WeakMap<readonly string[], Uint32Array>(),
		/** By term id, like `lengths` and `rooms`: start of the slice in the pool. */
		starts: startsOf(lengths),
		lengths,
		/** Capacity of the slice. */
		rooms: lengths.slice(),
		rows,
		counts,
		used: rows.length,
	};
}

/** Takes ownership of the arrays in `packed`. */
export function createInvertedIndex(packed: PackedPostings) {
	const state = createState(packed);
	return {
		/** Requires rows in ascending order. */
		add: (row: number, added: readonly string[]) => {
			for (const term of added) addTerm(state, idOf(state, term), row);
		},
		addCounted: (row: number, counted: PassageTerms) => addCounted(state, row, counted),
		has: (term: string) => state.ids.has(term),
		terms: () => state.ids.keys(),
		postingsOf: (term: string) => {
			const id = state.ids.get(term);
			return id === undefined ? undefined : postingsAt(state, id);
		},
		pack: (renumber: Renumber, pacer: Pacer) => pack(state, renumber, pacer),
	};
}

/** Rows with all of the terms, in ascending order, including rows that are removed or not visible yet. */
export function rowsWithEach(terms: readonly string[], { postingsOf }: InvertedIndex): Uint32Array {
	const postings = terms.map((term) => postingsOf(term)?.rows ?? NO_POSTINGS.rows);
	const [rarest = NO_POSTINGS.rows, ...others] = postings.sort((a, b) => a.length - b.length);
	return others.reduce(keepCommon, rarest.slice());
}

/** Intersects two ascending lists. Uses a loop, because a callback per row would take several times as long. */
function keepCommon(kept: Uint32Array, rows: Uint32Array): Uint32Array {
	let [count, other] = [0, 0];
	for (let at = 0; at < kept.length; at++) {
		const row = kept[at] as number;
		while ((rows[other] as number) < row) other++;
		if (rows[other] === row) kept[count++] = row;
	}
	return kept.subarray(0, count);
}

function idOf(state: State, term: string): number {
	const known = state.ids.get(term);
	if (known !== undefined) return known;
	const id = state.ids.size;
	state.ids.set(term, id);
	state.starts = withRoomFor(state.starts, id + 1);
	state.lengths = withRoomFor(state.lengths, id + 1);
	state.rooms = withRoomFor(state.rooms, id + 1);
	return id;
}

function addTerm(state: State, id: number, row: number): void {
	const last = (state.starts[id] as number) + (state.lengths[id] as number) - 1;
	if ((state.lengths[id] as number) > 0 && state.rows[last] === row)
		state.counts[last] = Math.min(HIGHEST_COUNT, (state.counts[last] as number) + 1);
	else addPosting(state, id, row, 1);
}

function addCounted(state: State, row: number, { vocabulary, numbers, counts }: PassageTerms): void {
	const ids = withRoomFor(state.vocabularies.get(vocabulary) ?? new Uint32Array(0), vocabulary.length);
	state.vocabularies.set(vocabulary, ids);
	for (let place = 0; place < numbers.length; place++) {
		const number = numbers[place] as number;
		if (ids[number] === 0) ids[number] = idOf(state, vocabulary[number] as string) + 1;
		addPosting(state, (ids[number] as number) - 1, row, counts[place] as number);
	}
}

function addPosting(state: State, id: number, row: number, count: number): void {
	const length = state.lengths[id] as number;
	if (length === state.rooms[id]) move(state, id);
	const place = (state.starts[id] as number) + length;
	state.rows[place] = row;
	state.counts[place] = count;
	state.lengths[id] = length + 1;
}

function move(state: State, id: number): void {
	const { used } = state;
	const [start, length] = [state.starts[id] ?? 0, state.lengths[id] ?? 0];
	const room = Math.max(2, 2 * length);
	state.rows = withRoomFor(state.rows, used + room);
	state.counts = withRoomFor(state.counts, used + room);
	state.rows.copyWithin(used, start, start + length);
	state.counts.copyWithin(used, start, start + length);
	state.starts[id] = used;
	state.rooms[id] = room;
	state.used += room;
}

function postingsAt({ starts, lengths, rows, counts }: State, id: number): Postings {
	const start = starts[id] ?? 0;
	const end = start + (lengths[id] ?? 0);
	return { rows: rows.subarray(start, end), counts: counts.subarray(start, end) };
}

/** Drops terms without remaining postings. */
async function pack(state: State, renumber: Renumber, pacer: Pacer): Promise<PackedPostings> {
	const total = state.lengths.reduce((sum, length) => sum + length, 0);
	const pool = { rows: new Uint32Array(total), counts: new Uint8Array(total) };
	const terms: string[] = [];
	const lengths: number[] = [];
	let end = 0;
	for (const [term, id] of state.ids) {
		if (pacer.isDue) await pacer.rest();
		const length = copyPostings(postingsAt(state, id), renumber, pool, end);
		if (length === 0) continue;
		terms.push(term);
		lengths.push(length);
		end += length;
	}
	const [rows, counts] = [pool.rows.subarray(0, end), pool.counts.subarray(0, end)];
	return { terms, lengths: Uint32Array.from(lengths), rows, counts };
}

function copyPostings(from: Postings, renumber: Renumber, to: Postings, start: number): number {
	let place = start;
	for (const [index, row] of from.rows.entries()) {
		const number = renumber(row);
		if (number === undefined) continue;
		to.rows[place] = number;
		to.counts[place++] = from.counts[index] ?? 0;
	}
	return place - start;
}

function startsOf(lengths: Uint32Array): Uint32Array {
	const starts = new Uint32Array(lengths.length);
	for (let id = 1; id < lengths.length; id++) starts[id] = (starts[id - 1] ?? 0) + (lengths[id - 1] ?? 0);
	return starts;
}

export function createForeignness(language: Language, words: InvertedIndex): (row: number) => boolean {
	const others = LANGUAGES.filter((other) => other !== language);
	const lists = others.flatMap((other) => words.postingsOf(markOf(other))?.rows ?? []);
	const hasRow = (rows: Uint32Array, row: number) =>
		rows[firstIndex(rows.length, (at) => (rows[at] as number) >= row)] === row;
	return (row) => lists.some((rows) => hasRow(rows, row));
}
