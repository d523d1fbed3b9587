import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters, ViewRequest } from "../../src/protocol/webview.ts";
import {
	type Action,
	FRESH_LIST,
	focusing,
	homeOf,
	type Menu,
	NO_FILTERS,
	type SessionsState,
	type Step,
	stay,
	type ViewState,
	withoutMenu,
	withSessions,
} from "../model/state.ts";
import { baseName } from "../parts/elements.ts";
import { amounts, compactNumber, l10n, timeAgo } from "../parts/l10n.ts";
import { freshList, missingPages } from "./paging.ts";
import { resumableTurn } from "./stepTree.ts";

export function titleOf({ menu, open, rows = [] }: SessionsState, id: string): string {
	const known = [menu?.session, open?.transcript?.session, ...rows.map((row) => row?.session)];
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
	const { sessions, requests } = freshList({ ...state.sessions, ...FRESH_LIST, ...part });
	return stay({ ...state, sessions }, ...requests);
}

export function showRows(first: number, last: number): Action {
	return (state) => {
		const { shown } = state.sessions;
		if (shown.first === first && shown.last === last) return stay(state);
		const { sessions, requests } = missingPages({ ...state.sessions, shown: { first, last } });
		return stay({ ...state, sessions }, ...requests);
	};
}

export function chooseRow(active: number): Action {
	return (state) => stay(withSessions(state, { active }));
}

export function openSession(state: ViewState, session: string, turn?: number): Step {
	const { sessions, requests } = released({ ...state.sessions, open: { session, turn }, menu: undefined });
	const read = { kind: "readSession", session } as const;
	return focusing("transcript", { ...state, sessions }, ...requests, read);
}

export const closeSession: Action = (state) =>
	focusing("sessions", withSessions(state, { open: undefined, menu: undefined }));

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

export function openMenu(menu: Menu): Action {
	return (state) => stay(withSessions(state, { menu }));
}

export const closeMenu: Action = (state) => withoutMenu(state);

/** The focus moved elsewhere. */
export const leaveMenu: Action = (state) => stay(withSessions(state, { menu: undefined }));

export function beginRename(renaming: string): Action {
	return (state) => focusing("rename", withSessions(state, { renaming, menu: undefined }));
}

/** Without a title if it was cancelled; `hasLeft` if the focus moved elsewhere. */
export function endRename(title?: string, hasLeft = false): Action {
	return (state) => {
		const { renaming } = state.sessions;
		if (!renaming) return stay(state);
		const wanted = title?.trim();
		const isNew = wanted && wanted !== titleOf(state.sessions, renaming);
		const requests: ViewRequest[] = isNew
			? [{ kind: "renameSession", session: renaming, title: wanted }]
			: [];
		const { sessions, requests: missed } = released(state.sessions);
		const step = stay({ ...state, sessions }, ...requests, ...missed);
		return hasLeft ? step : { ...step, focus: homeOf(state.sessions) };
	};
}

/** The title is no longer being edited, so a postponed update of the list is requested. */
function released(held: SessionsState): ReturnType<typeof freshList> {
	const sessions = { ...held, renaming: undefined, isBehind: false };
	return held.isBehind ? freshList(sessions) : { sessions, requests: [] };
}
