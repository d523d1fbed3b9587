import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters } from "../../src/protocol/webview.ts";
import type { SessionsState } from "../model/state.ts";
import { amounts, baseName, compactNumber, l10n, timeAgo } from "../parts/elements.ts";

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

export const ENGINES: Record<Engine, { readonly label: string; readonly icon: string }> = {
	// Whatever model it had, or none.
	model: { label: "Copilot-LD", icon: "comment-discussion" },
	cli: { label: "Copilot CLI", icon: "terminal" },
	mcp: { label: "MCP", icon: "plug" },
};

/** What there is to know of a session, in a line. */
export function sessionFacts(
	{ engine, turns, tokens, workspace }: SessionSummary,
	namesWorkspace: boolean,
): string {
	const facts = [ENGINES[engine].label];
	// Of what only the CLI has, they are not known before it is opened.
	if (turns > 0) facts.push(amounts.turns(turns));
	if (tokens > 0) facts.push(l10n.t("{0} tokens", compactNumber(tokens)));
	if (workspace && namesWorkspace) facts.push(baseName(workspace));
	return facts.join(" · ");
}

/** A row in words, for screen readers. */
export function sessionName(session: SessionSummary, now: number): string {
	return `${session.title}, ${timeAgo(session.updatedAt, now)}, ${sessionFacts(session, true)}`;
}
