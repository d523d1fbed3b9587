import type { SessionHit, SessionSummary, TranscriptTurn } from "../../core/session/session.ts";
import { createStoredSearch } from "../stored/storedSearch.ts";
import type { StoredSessions } from "../stored/storedSessions.ts";
import { readStoredTurns } from "../stored/storedTurns.ts";
import type { CliSessions } from "./cliSessions.ts";

/** The CLI's sessions, also those that were made in a terminal. All of it works while the CLI does not run. */
export interface CliHistory {
	/** Used last, first. `turns` and `tokens` are not known before a session is read. */
	list(): Promise<readonly SessionSummary[]>;
	turns(id: string, signal: AbortSignal): Promise<readonly TranscriptTurn[]>;
	/** By words, in these sessions; best first. */
	search(
		text: string,
		sessions: readonly SessionSummary[],
		signal: AbortSignal,
	): Promise<readonly SessionHit[]>;
	/** These reject with a `Failure` where another process has the session open, or where there is none. */
	rename(id: string, title: string): Promise<void>;
	delete(id: string): Promise<void>;
	restore(id: string): Promise<void>;
}

export function createCliHistory(
	sessions: Pick<CliSessions, "rename" | "delete" | "restore">,
	stored: StoredSessions,
): CliHistory {
	return {
		list: stored.list,
		turns: (id, signal) => readStoredTurns(stored.eventsOf(id), signal),
		search: createStoredSearch(stored),
		rename: sessions.rename,
		delete: sessions.delete,
		restore: sessions.restore,
	};
}
