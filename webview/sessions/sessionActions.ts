import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters } from "../../src/protocol/webview.ts";
import {
	type Action,
	FRESH_LIST,
	focusing,
	NO_FILTERS,
	type SessionsState,
	type Step,
	stay,
	type ViewState,
	wanted,
	withSessions,
} from "../model/state.ts";
import { baseName } from "../parts/elements.ts";
import { amounts, compactNumber, l10n, timeAgo } from "../parts/l10n.ts";
import { resumableTurn } from "./stepTree.ts";

export function titleOf({ open, rows = [] }: SessionsState, id: string): string {
	const known = [open?.transcript?.session, ...rows.map((row) => row?.session)];
	return known.find((session) => session?.id === id)?.title ?? "session";
}

export function sameFilters(a: SessionFilters, b: SessionFilters): boolean {
	const isSamePlace = a.thisWorkspace === b.thisWorkspace && a.archived === b.archived;
	return isSamePlace && a.engine === b.engine && a.days === b.days;
}

export function isNarrowed(filters: SessionFilters): boolean {
	return !sameFilters(filters, NO_FILTERS);
}

export const ENGINES: Record<Engine, { readonly label: string; readonly icon: string }> = {
	// Whatever model it had, or none.
	model: { label: "Copilot-LD", icon: "comment-discussion" },
	cli: { label: "Copilot CLI", icon: "terminal" },
	mcp: { label: "MCP", icon: "plug" },
};

/** What there is to know of a session, in a line. */
export function sessionFacts(session: SessionSummary, namesWorkspace: boolean): string {
	const { engine, turns, tokens, workspace } = session;
	const facts = [ENGINES[engine].label];
	// A session that only the CLI has does not know them before it is opened.
	if (turns > 0) facts.push(amounts.turns(turns));
	if (tokens > 0) facts.push(l10n.t("{0} tokens", compactNumber(tokens)));
	if (workspace && namesWorkspace) facts.push(baseName(workspace));
	return facts.join(" · ");
}

/** A row in words, for screen readers. */
export function sessionName(session: SessionSummary, now: number): string {
	return `${session.title}, ${timeAgo(session.updatedAt, now)}, ${sessionFacts(session, true)}`;
}

export const toggleFilters: Action = (state) =>
	stay(withSessions(state, { showsFilters: !state.sessions.showsFilters }));

export function chooseFilters(filters: SessionFilters): Action {
	return (state) => withFreshList(state, { filters });
}

export function search(text: string): Action {
	return (state) => withFreshList(state, { text });
}

/** Another list: it begins at its top, and what was shown of the former one goes. */
function withFreshList(state: ViewState, part: Partial<SessionsState>): Step {
	return requestList(withSessions(state, { ...FRESH_LIST, ...part }));
}

/** Rows that are requested together with the block before them and the block after them. */
const BLOCK = 100;

function offsetOf({ first }: SessionsState["shown"]): number {
	return Math.max(0, Math.floor(first / BLOCK) - 1) * BLOCK;
}

/** Requests what the list shows: the best hits of a search, or the rows around the screen. */
export function requestList(state: ViewState): Step {
	const { filters, text, shown } = state.sessions;
	if (text !== "") return stay(state, { kind: "searchSessions", filters, text });
	const offset = offsetOf(shown);
	const request = { kind: "listSessions", filters, offset, limit: 3 * BLOCK } as const;
	return stay(withSessions(state, { offset }), request);
}

export function showRows(first: number, last: number): Action {
	return (state) => {
		const { shown, text, rows, offset } = state.sessions;
		if (shown.first === first && shown.last === last) return stay(state);
		const next = withSessions(state, { shown: { first, last } });
		const isLoaded = text !== "" || !rows || offsetOf(next.sessions.shown) === offset;
		return isLoaded ? stay(next) : requestList(next);
	};
}

export function clampIndex(index: number, length: number): number {
	return Math.max(0, Math.min(index, length - 1));
}

export function chooseRow(active: number): Action {
	return (state) => stay(withSessions(state, { active }));
}

export function openSession(state: ViewState, session: string, turn?: number): Step {
	const opened = withSessions(state, { open: { session, turn } });
	return focusing("transcript", opened, { kind: "readSession", session });
}

/** The list was not kept in step while a session covered it. */
export const closeSession: Action = (state) => ({
	...requestList(withSessions(state, { open: undefined })),
	focus: "sessions",
});

export function scrollTranscript(scroll: number): Action {
	return (state) => {
		const { open } = state.sessions;
		return stay(open ? withSessions(state, { open: { ...open, scroll } }) : state);
	};
}

/** Stops a step of a chain, by its own session. Ignores one that is not running: the button may be outdated. */
export function stopStep(session: string): Action {
	return (state) => {
		const runs = state.sessions.open?.transcript?.turns.at(-1)?.runs ?? [];
		const isAtWork = runs.some((run) => run.session === session && !run.ended);
		// The button goes with the state that it was for.
		return isAtWork ? focusing("transcript", state, { kind: "stopStep", session }) : stay(state);
	};
}

/** With a step, that one and all after it run again. Ignores a chain that cannot go on. */
export function resumeChain(step?: string): Action {
	return (state) => {
		const transcript = state.sessions.open?.transcript;
		if (!transcript || !resumableTurn(transcript, state.now)) return stay(state);
		const session = transcript.session.id;
		return focusing("transcript", state, { kind: "resumeChain", session, ...(step && { step }) });
	};
}

/** The host asks for the new title. */
export function rename({ id, title }: SessionSummary): Action {
	return wanted({ kind: "renameSession", session: id, title });
}
