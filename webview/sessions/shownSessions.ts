import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters } from "../../src/protocol/webview.ts";
import type { SessionsState } from "../model/state.ts";

/** How many rows the list has; absent while that is not known. */
export function rowCount({ text, rows, hits }: SessionsState): number | undefined {
	return text === "" ? rows?.length : hits?.length;
}

/** The session of a row; absent for one that is not loaded. */
export function sessionAt({ text, rows, hits }: SessionsState, index: number): SessionSummary | undefined {
	return text === "" ? rows?.[index] : hits?.[index]?.session;
}

function knownSession(sessions: SessionsState, id: string): SessionSummary | undefined {
	const { menu, open, rows, hits } = sessions;
	const candidates = [
		menu?.session,
		open?.transcript?.session,
		rows?.find((row) => row?.id === id),
		hits?.find(({ session }) => session.id === id)?.session,
	];
	return candidates.find((candidate) => candidate?.id === id);
}

export function titleOf(sessions: SessionsState, id: string): string {
	return knownSession(sessions, id)?.title ?? "session";
}

export function sameFilters(a: SessionFilters, b: SessionFilters): boolean {
	return (
		a.engine === b.engine &&
		a.thisWorkspace === b.thisWorkspace &&
		a.days === b.days &&
		a.archived === b.archived
	);
}

export function isNarrowed(filters: SessionFilters): boolean {
	return (
		filters.engine !== undefined || filters.thisWorkspace || filters.days !== undefined || filters.archived
	);
}
