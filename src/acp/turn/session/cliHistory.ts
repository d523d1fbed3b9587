import type { SessionHit, SessionSummary, TranscriptTurn } from "../../../core/session/session.ts";
import { createStoredSearch } from "../../stored/storedSearch.ts";
import type { StoredSessions } from "../../stored/storedSessions.ts";
import { readStoredTurns } from "../../stored/storedTurns.ts";
import type { CliSessions } from "./cliSessions.ts";

/** The CLI's sessions, including those started in a terminal. Works without a running CLI. */
export interface CliHistory {
	/** Most recently used first. `turns` and `tokens` are unknown until a session is read. */
	list(): Promise<readonly SessionSummary[]>;
	turns(id: string, signal: AbortSignal): Promise<readonly TranscriptTurn[]>;
	/** By words, in these sessions; best first. */
	search(
		text: string,
		sessions: readonly SessionSummary[],
		signal: AbortSignal,
	): Promise<readonly SessionHit[]>;
	/** These reject with a `Failure` if another process has the session open, or if it does not exist. */
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
