import type { PassageRow, PlaceRef } from "../../search/rowColumns.ts";
import type { EngineKind, MatchOptions, PassageSearches, PassageSubject, SubjectRows } from "./store.ts";

/** Passages with all words of the phrases that are read to see whether they have them as they are quoted. */
export const MOST_QUOTED = 2000;

/**
 * Searches the passages that are committed in the database's current snapshot. Row numbers are unique across the
 * engines of a process. Queries are already shortened, and vectors have a direction and the table's dimensions.
 */
export interface SearchEngine extends PassageSearches {
	readonly kind: EngineKind;
	/** Sees what is committed, before something else is. */
	follow(): Promise<void>;
	/** Adds passages before they are committed; they are not found yet. */
	stage(rows: readonly PassageRow[]): Promise<void>;
	/** Forgets what was staged and could not be committed. */
	unstage(revisions: readonly number[]): void;
	/** Shows what this process has just committed, in the place of what it replaced. */
	commit(change: Change): void;
	/** Gives back the room of what is gone, and makes the next opening quick. What is of generations before this one goes. */
	tidy(generation: number): Promise<void>;
	/** Deletes what it has written for itself. */
	drop(): Promise<void>;
	close(): Promise<void>;
	/** Much may have come: brings up what searches would wait for. */
	settle(): Promise<void>;
	/** Locations of the passages about resources, in the order of the resources. */
	placesAbout(subjects: readonly PassageSubject[]): Promise<readonly SubjectPlace[]>;
	/** The rows of locations that may be found, each with its subject, in the order of the subjects. */
	rowsAt(find: () => Promise<readonly SubjectPlace[]>, options: MatchOptions): Promise<SubjectRows>;
	/** `undefined` for a row of another engine, and for one that is not shown any more. */
	placeOf(row: number): PlaceRef | undefined;
}

export interface SubjectPlace extends PlaceRef {
	/** The place of the subject in the list. */
	readonly subject: number;
	readonly address?: number;
}

export interface Change {
	readonly shown: readonly number[];
	readonly dropped: readonly number[];
}

/** The engine that fits what is committed now, and the one that found what was found last. */
export interface EngineChoice {
	current(): Promise<SearchEngine>;
	latest(): SearchEngine;
	/** Whether new rows need what LanceDB searches. */
	needsComplete(): Promise<boolean>;
	tidy(generation: number): Promise<void>;
}
