import type { Passage } from "../core/knowledge/document.ts";
import { withRoomFor } from "./growable.ts";
import type { PassageTerms } from "./termCounts.ts";

export interface PlaceRef {
	readonly revision: number;
	/** Position of the passage in the document, from 0. */
	readonly ordinal: number;
}

/** A passage to write to a table or to add to an index. */
export interface PassageRow extends PlaceRef {
	readonly passage: Passage;
	/** Terms of title and text; absent if they are not counted yet. */
	readonly terms?: PassageTerms | undefined;
	/** IRIs of the resource's classes; in an index, keys from `typeKeysOf`. */
	readonly types: readonly string[];
	/** Empty without an embedder; zeros if the embedder knows no word. */
	readonly vector: Float32Array;
}

export type RowColumns = ReturnType<typeof createColumns>;

const MOST_TERMS = 65_535;

export function createColumns(size: number) {
	return {
		owners: new Float64Array(size),
		ordinals: new Uint32Array(size),
		/** Number of terms, up to `MOST_TERMS`. */
		lengths: new Uint16Array(size),
		typeSets: new Uint32Array(size),
	};
}

export interface RowFacts {
	readonly owner: number;
	readonly ordinal: number;
	readonly length: number;
	readonly typeSet: number;
}

export function writeRow(columns: RowColumns, row: number, facts: RowFacts): void {
	columns.owners = withRoomFor(columns.owners, row + 1);
	columns.ordinals = withRoomFor(columns.ordinals, row + 1);
	columns.lengths = withRoomFor(columns.lengths, row + 1);
	columns.typeSets = withRoomFor(columns.typeSets, row + 1);
	columns.owners[row] = facts.owner;
	columns.ordinals[row] = facts.ordinal;
	columns.lengths[row] = Math.min(facts.length, MOST_TERMS);
	columns.typeSets[row] = facts.typeSet;
}

export function readRow(columns: RowColumns, row: number): RowFacts {
	return {
		owner: columns.owners[row] ?? 0,
		ordinal: columns.ordinals[row] ?? 0,
		length: columns.lengths[row] ?? 0,
		typeSet: columns.typeSets[row] ?? 0,
	};
}

/** Sets of classes by number. There are few different sets, so that a passage only needs a number. */
export type TypeSets = ReturnType<typeof createTypeSets>;

export function createTypeSets(known: readonly (readonly string[])[] = []) {
	const numbers = new Map<string, number>();
	const sets: (readonly string[])[] = [];
	for (const types of known) add(types);
	return {
		add,
		/** Per set: 1 if the set has at least one of the classes. */
		withAnyOf: (types: readonly string[]) =>
			Uint8Array.from(sets, (set) => (types.some((type) => set.includes(type)) ? 1 : 0)),
		all: () => sets,
	};

	function add(types: readonly string[]): number {
		const key = types.join("\n");
		const number = numbers.get(key);
		if (number !== undefined) return number;
		numbers.set(key, sets.length);
		return sets.push(types) - 1;
	}
}
