import type { PassageRow, PlaceRef } from "./passageRow.ts";
import type { EngineKind, MatchOptions, PassageSearches, PassageSubject } from "./store.ts";

export interface WriteFollower {
	/** Sees what is committed, before something else is. */
	follow(): Promise<void>;
	/** Takes passages in before they are committed: nobody finds them yet. */
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
}

/**
 * Finds passages, by whatever means. Of all that is committed, as the database has seen it, and of nothing else. Rows are
 * numbers of one engine: no two engines of a process give the same. Queries come cut to a length, and vectors with a
 * direction and as many numbers as the table's.
 */
export interface SearchEngine extends PassageSearches, WriteFollower {
	readonly kind: EngineKind;
	/** Much may have come: brings up what searches would wait for. */
	settle(): Promise<void>;
	/** Where the passages of resources are; those of the first resources come first. */
	placesAbout(subjects: readonly PassageSubject[]): Promise<readonly SubjectPlace[]>;
	/** The rows of places that may be found, each with its subject: those of the first subjects come first. */
	rowsAt(find: PlaceFinder, options: MatchOptions): Promise<ReadonlyMap<number, number>>;
	/** `undefined` for a row of another engine, and for one that is not shown any more. */
	placeOf(row: number): PlaceRef | undefined;
}

type PlaceFinder = () => Promise<readonly SubjectPlace[]>;

export interface SubjectPlace extends PlaceRef {
	/** The place of the subject in the list. */
	readonly subject: number;
	readonly address?: number;
}

export interface Change {
	readonly shown: readonly number[];
	readonly dropped: readonly number[];
}
