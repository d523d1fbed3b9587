import type { PassageRow, PlaceRef } from "../../search/rowColumns.ts";
import type { EngineKind, MatchOptions, PassageSearches, PassageSubject, SubjectRows } from "./store.ts";

/** Maximum number of passages with all words of the phrases that are read to check the exact wording. */
export const MOST_QUOTED = 2000;

/**
 * Searches the passages that are committed in the database's current snapshot. Row numbers are unique across the
 * engines of a process. Queries are already shortened, and vectors have a direction and the table's dimensions.
 */
export interface SearchEngine extends PassageSearches {
	readonly kind: EngineKind;
	/** Brings the engine up to the current snapshot, before the next commit. */
	follow(): Promise<void>;
	/** Adds passages before they are committed; searches do not find them yet. */
	stage(rows: readonly PassageRow[]): Promise<void>;
	/** Forgets staged passages that could not be committed. */
	unstage(revisions: readonly number[]): void;
	/** Shows the documents that this process has just committed, and drops those they replace. */
	commit(change: Change): void;
	/** Frees the space of removed rows, speeds up the next opening, and deletes files of earlier generations. */
	tidy(generation: number): Promise<void>;
	/** Deletes the engine's own files. */
	drop(): Promise<void>;
	close(): Promise<void>;
	/** Prepares for searches after many writes. */
	settle(): Promise<void>;
	/** Locations of the passages about resources, in the order of the resources. */
	placesAbout(subjects: readonly PassageSubject[]): Promise<readonly SubjectPlace[]>;
	/** The rows of locations that may be found, each with its subject, in the order of the subjects. */
	rowsAt(find: () => Promise<readonly SubjectPlace[]>, options: MatchOptions): Promise<SubjectRows>;
	/** `undefined` for a row of another engine, and for a row that is no longer shown. */
	placeOf(row: number): PlaceRef | undefined;
}

export interface SubjectPlace extends PlaceRef {
	/** Position of the subject in the list. */
	readonly subject: number;
	readonly address?: number;
}

export interface Change {
	readonly shown: readonly number[];
	readonly dropped: readonly number[];
}

/** The engine that fits the committed passages now, and the engine of the last search. */
export interface EngineChoice {
	current(): Promise<SearchEngine>;
	latest(): SearchEngine;
	/** Whether new rows need LanceDB's columns. */
	needsComplete(): Promise<boolean>;
	tidy(generation: number): Promise<void>;
}
