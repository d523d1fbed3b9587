import type { Language } from "../../base/language/languages.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { PlaceRef } from "../database/passageReads.ts";
import type { Manifest } from "../tables/manifest.ts";
import { createRecent } from "./recent.ts";

/** A passage that was found, with all that may be asked of it next. */
export interface FoundPassage extends PlaceRef {
	readonly passage: Passage;
	/** Absent where it has none. */
	readonly vector?: Float32Array;
	/** What its text surely is in. */
	readonly language: Language | undefined;
	/** Where LanceDB keeps it. */
	readonly address: number;
}

/** Numbers for passages, and what was read of those that were found last. */
export interface LanceRows {
	/** The same one whenever the passage is found. */
	rowOf(place: PlaceRef, manifest: Manifest): number;
	/** Where the passage of a row stands; `undefined` for one of another engine. */
	placeOf(row: number): PlaceRef | undefined;
	remember(row: number, found: FoundPassage): void;
	recall(row: number): FoundPassage | undefined;
}

interface Extent {
	readonly first: number;
	readonly revision: number;
}

/** A document gets as many numbers as it has passages, when the first of them is found. */
export function createLanceRows(firstRow: number): LanceRows {
	const firsts = new Map<number, number>();
	/** In ascending order. */
	const extents: Extent[] = [];
	const remembered = createRecent<FoundPassage>();
	let next = firstRow;
	return {
		rowOf: ({ revision, ordinal }, manifest) =>
			(firsts.get(revision) ?? number(revision, manifest)) + ordinal,
		placeOf: (row) => {
			const extent = row < next ? lastUpTo(extents, row) : undefined;
			return extent && { revision: extent.revision, ordinal: row - extent.first };
		},
		remember: remembered.set,
		recall: remembered.get,
	};

	function number(revision: number, manifest: Manifest): number {
		const first = next;
		firsts.set(revision, first);
		extents.push({ first, revision });
		next += manifest.passagesOf(revision);
		return first;
	}
}

function lastUpTo(extents: readonly Extent[], row: number): Extent | undefined {
	let [from, to] = [0, extents.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((extents[middle] as Extent).first <= row) from = middle + 1;
		else to = middle;
	}
	return extents[from - 1];
}
