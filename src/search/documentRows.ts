import { withRoomFor } from "./growable.ts";
import type { RowColumns, TypeSets } from "./rowColumns.ts";

export type DocumentRows = ReturnType<typeof createDocumentRows>;

/** Range of a document's rows. Rows of other documents may be between them. */
interface Extent {
	readonly first: number;
	end: number;
	isShown: boolean;
}

/** A view of the rows of these revisions only. Valid until another document is shown or dropped. */
export function onlyOf(revisions: Iterable<number>, all: DocumentRows, { lengths }: RowColumns) {
	const live = new Uint8Array(all.size);
	let [passages, terms] = [0, 0];
	for (const revision of revisions)
		for (const row of all.rowsOf(revision)) {
			if (all.live[row] !== 1) continue;
			live[row] = 1;
			passages++;
			terms += lengths[row] ?? 0;
		}
	return Object.defineProperty({ ...all, live, passages, terms }, "size", { get: () => all.size });
}

type State = ReturnType<typeof createState>;

function createState(columns: RowColumns, size: number) {
	const extents = extentsOf(columns, size);
	const terms = columns.lengths.subarray(0, size).reduce((sum, length) => sum + length, 0);
	const live: Uint8Array = new Uint8Array(size).fill(1);
	return { columns, extents, live, size, passages: size, terms };
}

/** Shows the first `size` rows of the columns; `extend` adds further ones. */
export function createDocumentRows(columns: RowColumns, size = 0) {
	const state = createState(columns, size);
	const { extents } = state;
	return {
		/** Number of all rows, including rows of removed documents. */
		get size() {
			return state.size;
		},
		/** Per row: 1 if the row's document is shown. */
		get live() {
			return state.live;
		},
		get passages() {
			return state.passages;
		},
		get terms() {
			return state.terms;
		},
		has: (revision: number) => extents.has(revision),
		revisions: () => [...extents.keys()],
		/** Adds the next row, which must be in the columns already. */
		extend: () => extend(state),
		show: (revision: number) => {
			const extent = extents.get(revision);
			if (!extent || extent.isShown) return;
			extent.isShown = true;
			setLive(state, revision, 1);
		},
		drop: (revision: number) => {
			if (extents.get(revision)?.isShown) setLive(state, revision, 0);
			extents.delete(revision);
		},
		rowsOf: (revision: number) => rowsOf(state, revision),
		firstOf: (revision: number) => extents.get(revision)?.first ?? state.size,
	};
}

function extentsOf({ owners }: RowColumns, size: number): Map<number, Extent> {
	const extents = new Map<number, Extent>();
	for (let row = 0; row < size; ) {
		const revision = owners[row] as number;
		let end = row + 1;
		while (end < size && owners[end] === revision) end++;
		const extent = extents.get(revision);
		if (extent) extent.end = end;
		else extents.set(revision, { first: row, end, isShown: true });
		row = end;
	}
	return extents;
}

function extend(state: State): void {
	const revision = state.columns.owners[state.size] ?? 0;
	state.live = withRoomFor(state.live, state.size + 1);
	state.size++;
	const extent = state.extents.get(revision);
	if (extent) extent.end = state.size;
	else state.extents.set(revision, { first: state.size - 1, end: state.size, isShown: false });
}

function setLive(state: State, revision: number, value: 0 | 1): void {
	const sign = value === 1 ? 1 : -1;
	for (const row of rowsOf(state, revision)) {
		state.live[row] = value;
		state.passages += sign;
		state.terms += sign * (state.columns.lengths[row] ?? 0);
	}
}

function* rowsOf({ extents, columns }: State, revision: number): Generator<number> {
	const { first, end } = extents.get(revision) ?? { first: 0, end: 0 };
	for (let row = first; row < end; row++) if (columns.owners[row] === revision) yield row;
}

/** Conditions on a passage, which must meet all that are present. */
export interface RowFilter {
	readonly revisions?: readonly number[];
	readonly types?: readonly string[];
	readonly rows?: readonly number[];
}

/** Per row: 1 if the row is visible and meets the filter. */
export function maskOf(
	filter: RowFilter,
	{ documents, columns, typeSets }: { documents: DocumentRows; columns: RowColumns; typeSets: TypeSets },
): Uint8Array {
	const { revisions, types, rows } = filter;
	let mask = documents.live;
	const rowsOf = (revision: number) => [...documents.rowsOf(revision)];
	if (revisions) mask = only(revisions.flatMap(rowsOf), mask);
	if (rows) mask = only(rows, mask);
	if (types) {
		const allowed = typeSets.withAnyOf(types);
		mask = mask.map((isLive, row) => isLive & (allowed[columns.typeSets[row] ?? 0] ?? 0));
	}
	return mask;
}

function only(rows: readonly number[], mask: Uint8Array): Uint8Array {
	const narrowed = new Uint8Array(mask.length);
	for (const row of rows) narrowed[row] = mask[row] ?? 0;
	return narrowed;
}
