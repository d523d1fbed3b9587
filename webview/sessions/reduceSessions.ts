import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters, ViewRequest } from "../../src/protocol/webview.ts";
import { focusing, type SessionsEvent, type Step, stay } from "../model/event.ts";
import type { SessionsState, ViewState } from "../model/state.ts";
import { baseName } from "../parts/elements.ts";
import { amounts, compactNumber, l10n, timeAgo } from "../parts/l10n.ts";
import { freshList, missingPages } from "./paging.ts";
import { resumableTurn } from "./stepTree.ts";

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

export function reduceSessions(state: ViewState, event: SessionsEvent): Step {
	switch (event.kind) {
		case "filtersToggled":
			return stay(withSessions(state, { showsFilters: !state.sessions.showsFilters }));
		case "filtersChosen":
			return withFreshList(state, { filters: event.filters });
		case "searched":
			return withFreshList(state, { text: event.text });
		case "rowsShown":
			return withMissingPages(state, { first: event.first, last: event.last });
		case "rowChosen":
			return stay(withSessions(state, { active: event.index }));
		case "sessionOpened":
		case "sessionClosed":
		case "transcriptScrolled":
			return reduceOpen(state, event);
		case "stepStopped":
		case "chainResumed":
			return reduceChain(state, event);
		case "menuOpened":
			return stay(withSessions(state, { menu: event.menu }));
		case "menuClosed":
			return withoutMenu(state, event.left === true);
		case "renameBegun":
			return focusing("rename", withSessions(state, { renaming: event.session, menu: undefined }));
		case "renameEnded":
			return endRename(state, event);
	}
}

function reduceOpen(
	state: ViewState,
	event: Extract<SessionsEvent, { readonly kind: "sessionOpened" | "sessionClosed" | "transcriptScrolled" }>,
): Step {
	const { open } = state.sessions;
	switch (event.kind) {
		case "sessionOpened":
			return openSession(state, event);
		case "sessionClosed":
			return focusing("sessions", withSessions(state, { open: undefined, menu: undefined }));
		case "transcriptScrolled":
			return stay(open ? withSessions(state, { open: { ...open, scroll: event.top } }) : state);
	}
}

/** Ignores steps that are not running, and chains that cannot go on: the button may be outdated. */
function reduceChain(
	state: ViewState,
	event: Extract<SessionsEvent, { readonly kind: "stepStopped" | "chainResumed" }>,
): Step {
	const transcript = state.sessions.open?.transcript;
	if (!transcript) return stay(state);
	// The button goes with the state that it was for.
	const focus = "transcript";
	if (event.kind === "stepStopped") {
		const runs = transcript.turns.at(-1)?.runs ?? [];
		const isAtWork = runs.some(({ session, ended }) => session === event.session && !ended);
		return isAtWork ? focusing(focus, state, { kind: "stopStep", session: event.session }) : stay(state);
	}
	if (!resumableTurn(transcript, state.now)) return stay(state);
	const { step } = event;
	const request = { kind: "resumeChain", session: transcript.session.id, ...(step && { step }) } as const;
	return focusing(focus, state, request);
}

export function openSession(
	state: ViewState,
	{ session, turn }: { readonly session: string; readonly turn?: number },
): Step {
	const open = { session, ...(turn !== undefined && { turn }) };
	const { sessions, requests } = released({ ...state.sessions, open, menu: undefined });
	const read = { kind: "readSession", session } as const;
	return focusing("transcript", { ...state, sessions }, ...requests, read);
}

export function withSessions(state: ViewState, part: Partial<SessionsState>): ViewState {
	return { ...state, sessions: { ...state.sessions, ...part } };
}

/** Another list: it begins at its top, and what was shown of the former one goes. */
function withFreshList(state: ViewState, part: Partial<SessionsState>): Step {
	const top = { active: 0, shown: { first: 0, last: 0 }, rows: undefined, hits: undefined };
	const { sessions, requests } = freshList({ ...state.sessions, ...top, ...part });
	return stay({ ...state, sessions }, ...requests);
}

function withMissingPages(state: ViewState, shown: SessionsState["shown"]): Step {
	const { first, last } = state.sessions.shown;
	if (shown.first === first && shown.last === last) return stay(state);
	const { sessions, requests } = missingPages({ ...state.sessions, shown });
	return stay({ ...state, sessions }, ...requests);
}

/** Closes the menu, and gives the focus back unless it moved elsewhere. */
export function withoutMenu(state: ViewState, left: boolean, ...requests: readonly ViewRequest[]): Step {
	const step = stay(withSessions(state, { menu: undefined }), ...requests);
	return state.sessions.menu && !left ? { ...step, focus: homeOf(state.sessions) } : step;
}

function endRename(
	state: ViewState,
	{ title, left }: Extract<SessionsEvent, { readonly kind: "renameEnded" }>,
): Step {
	const { renaming } = state.sessions;
	if (!renaming) return stay(state);
	const wanted = title?.trim();
	const isNew = wanted && wanted !== titleOf(state.sessions, renaming);
	const requests: ViewRequest[] = isNew ? [{ kind: "renameSession", session: renaming, title: wanted }] : [];
	const { sessions, requests: missed } = released(state.sessions);
	const step = stay({ ...state, sessions }, ...requests, ...missed);
	return left ? step : { ...step, focus: homeOf(state.sessions) };
}

/** The title is no longer being edited, so a postponed update of the list is requested. */
function released(held: SessionsState): ReturnType<typeof freshList> {
	const sessions = { ...held, renaming: undefined, isBehind: false };
	return held.isBehind ? freshList(sessions) : { sessions, requests: [] };
}

/** Id of the part with the focus by default: the transcript, or the list. */
function homeOf({ open }: SessionsState): string {
	return open ? "transcript" : "sessions";
}
