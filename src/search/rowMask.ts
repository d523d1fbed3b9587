import type { DocumentRows } from "./documentRows.ts";
import type { RowColumns, TypeSets } from "./rowColumns.ts";

/** What a passage must have; absent lets all through. */
export interface RowFilter {
	readonly revisions?: readonly number[];
	readonly types?: readonly string[];
	readonly rows?: readonly number[];
}

export interface FilteredRows {
	readonly documents: DocumentRows;
	readonly columns: RowColumns;
	readonly typeSets: TypeSets;
}

/** 1 for every row that is shown and has all that the filter asks for. */
export function maskOf(filter: RowFilter, { documents, columns, typeSets }: FilteredRows): Uint8Array {
	const { revisions, types, rows } = filter;
	let mask = documents.live;
	if (revisions)
		mask = only(
			revisions.flatMap((revision) => [...documents.rowsOf(revision)]),
			mask,
		);
	if (rows) mask = only(rows, mask);
	if (types) mask = onlyTypes(typeSets.withAnyOf(types), { mask, columns });
	return mask;
}

function only(rows: readonly number[], mask: Uint8Array): Uint8Array {
	const narrowed = new Uint8Array(mask.length);
	for (const row of rows) narrowed[row] = mask[row] ?? 0;
	return narrowed;
}

function onlyTypes(
	allowed: Uint8Array,
	{ mask, columns }: { readonly mask: Uint8Array; readonly columns: RowColumns },
): Uint8Array {
	return mask.map((isLive, row) => isLive & (allowed[columns.typeSets[row] ?? 0] ?? 0));
}
