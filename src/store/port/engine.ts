import type { PassageRow } from "./passageRow.ts";
import type { EngineKind, PassageReads } from "./store.ts";

/**
 * Finds passages, by whatever means. Of all that is committed, as the database has seen it, and of nothing else.
 * Rows are numbers of one engine: no two engines of a process give the same.
 */
export interface SearchEngine extends Omit<PassageReads, "stale"> {
	readonly kind: EngineKind;
	/** Sees what is committed, before something else is. */
	follow(): Promise<void>;
	/** Takes passages in before they are committed: nobody finds them yet. */
	stage(rows: readonly PassageRow[]): Promise<void>;
	/** Forgets what was staged and could not be committed. */
	unstage(revisions: readonly number[]): void;
	/** Shows what this process has just committed, in the place of what it replaced. */
	commit(change: Change): void;
	/** Much may have come: brings up what searches would wait for. */
	settle(): Promise<void>;
	/** Gives back the room of what is gone, and makes the next opening quick. What is of generations before this one goes. */
	tidy(generation: number): Promise<void>;
	/** Deletes what it has written for itself. */
	drop(): Promise<void>;
	close(): Promise<void>;
}

/** Revisions. */
export interface Change {
	readonly shown: readonly number[];
	readonly dropped: readonly number[];
}
