import type { PassageRow, PlaceRef } from "../../search/rowColumns.ts";
import type { EngineKind, MatchOptions, PassageSearches, PassageSubject, SubjectRows } from "./store.ts";

/** Maximum number of passages with all words of the phrases that are read to check the exact wording. */
export const MOST_QUOTED = 2000;

/**
 * Searches the passages of the database's current snapshot. Row numbers are unique across the engines of a process.
 * Callers pass shortened queries, and vectors with a direction and the table's dimensions.
 */
export interface SearchEngine extends PassageSearches {
	readonly kind: EngineKind;
	/** Updates the engine to the current snapshot; must be called before the next commit. */
	follow(): Promise<void>;
	/** Adds passages that are not committed yet, and that searches must not find yet. */
	stage(rows: readonly PassageRow[]): Promise<void>;
	unstage(revisions: readonly number[]): void;
	/** Makes documents that this process has just committed visible, and drops the documents that they replace. */
	commit(change: Change): void;
	/** Frees the space of removed rows, speeds up the next opening, and deletes files of earlier generations. */
	tidy(generation: number): Promise<void>;
	drop(): Promise<void>;
	close(): Promise<void>;
	settle(): Promise<void>;
	/** Returns the locations of passages about resources, in the order of the resources. */
	placesAbout(subjects: readonly PassageSubject[]): Promise<readonly SubjectPlace[]>;
	/** Returns the rows of locations that pass the options, each with its subject, in the order of the subjects. */
	rowsAt(find: () => Promise<readonly SubjectPlace[]>, options: MatchOptions): Promise<SubjectRows>;
	/** Returns `undefined` for a row of another engine, and for a row that is no longer visible. */
	placeOf(row: number): PlaceRef | undefined;
}

export interface SubjectPlace extends PlaceRef {
	readonly subject: number;
	readonly address?: number;
}

export interface Change {
	readonly shown: readonly number[];
	readonly dropped: readonly number[];
}

export interface EngineChoice {
	current(): Promise<SearchEngine>;
	latest(): SearchEngine;
	needsComplete(): Promise<boolean>;
	tidy(generation: number): Promise<void>;
}
