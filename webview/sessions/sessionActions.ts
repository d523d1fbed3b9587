import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters } from "../../src/protocol/webview.ts";
import {
	type Action,
	FRESH_LIST,
	focusing,
	NO_FILTERS,
	type Row,
	type SessionsState,
	type Step,
	stay,
	type Update,
	type ViewState,
	wanted,
	withPart,
} from "../model/state.ts";
import { baseName } from "../parts/elements.ts";
import { amounts, compactNumber, counted, l10n, timeAgo } from "../parts/l10n.ts";
import { resumableTurn } from "./stepTree.ts";

export function titleOf({ open, rows = [] }: SessionsState, id: string): string {
	const known = [open?.transcript?.session, ...rows.map((row) => row?.session)];
	return known.find((session) => session?.id === id)?.title ?? "session";
}

function sameFilters(a: SessionFilters, b: SessionFilters): boolean {
	const isSamePlace = a.thisWorkspace === b.thisWorkspace && a.archived === b.archived;
	return isSamePlace && a.engine === b.engine && a.days === b.days;
}

export function isNarrowed(filters: SessionFilters): boolean {
	return !sameFilters(filters, NO_FILTERS);
}

export const ENGINES: Record<Engine, { readonly label: string; readonly icon: string }> = {
	// Includes answers without a model.
	model: { label: "Copilot-LD", icon: "comment-discussion" },
	cli: { label: "Copilot CLI", icon: "terminal" },
	mcp: { label: "MCP", icon: "plug" },
};

export function sessionFacts(session: SessionSummary, namesWorkspace: boolean): string {
	const { engine, turns, tokens, workspace } = session;
	const facts = [ENGINES[engine].label];
	// A session known only to the CLI has no counts until it is opened.
	if (turns > 0) facts.push(amounts.turns(turns));
	if (tokens > 0) facts.push(l10n.t("{0} tokens", compactNumber(tokens)));
	if (workspace && namesWorkspace) facts.push(baseName(workspace));
	return facts.join(" · ");
}

export function sessionName(session: SessionSummary, now: number): string {
	return `${session.title}, ${timeAgo(session.updatedAt, now)}, ${sessionFacts(session, true)}`;
}

export const toggleFilters: Action = (state) =>
	stay(withPart(state, "sessions", { showsFilters: !state.sessions.showsFilters }));

export function chooseFilters(filters: SessionFilters): Action {
	return (state) => withFreshList(state, { filters });
}

export function search(text: string): Action {
	return (state) => withFreshList(state, { text });
}

function withFreshList(state: ViewState, part: Partial<SessionsState>): Step {
	return requestList(withPart(state, "sessions", { ...FRESH_LIST, ...part }));
}

/** Number of rows in a block. A request contains the visible block, and the blocks before and after. */
const BLOCK = 100;

function offsetOf({ first }: SessionsState["shown"]): number {
	return Math.max(0, Math.floor(first / BLOCK) - 1) * BLOCK;
}

function requestList(state: ViewState): Step {
	const { filters, text, shown } = state.sessions;
	if (text !== "") return stay(state, { kind: "searchSessions", filters, text });
	const offset = offsetOf(shown);
	const request = { kind: "listSessions", filters, offset, limit: 3 * BLOCK } as const;
	return stay(withPart(state, "sessions", { offset }), request);
}

export function showRows(first: number, last: number): Action {
	return (state) => {
		const { shown, text, rows, offset } = state.sessions;
		if (shown.first === first && shown.last === last) return stay(state);
		const next = withPart(state, "sessions", { shown: { first, last } });
		const isLoaded = text !== "" || !rows || offsetOf(next.sessions.shown) === offset;
		return isLoaded ? stay(next) : requestList(next);
	};
}

export function clampIndex(index: number, length: number): number {
	return Math.max(0, Math.min(index, length - 1));
}

export function chooseRow(active: number): Action {
	return (state) => stay(withPart(state, "sessions", { active }));
}

export function openSession(state: ViewState, session: string, turn?: number): Step {
	const opened = withPart(state, "sessions", { open: { session, turn } });
	return focusing("transcript", opened, { kind: "readSession", session });
}

/** Requests the list, which was not updated while a session covered it. */
export const closeSession: Action = (state) => ({
	...requestList(withPart(state, "sessions", { open: undefined })),
	focus: "sessions",
});

export function scrollTranscript(scroll: number): Action {
	return (state) => {
		const { open } = state.sessions;
		return stay(open ? withPart(state, "sessions", { open: { ...open, scroll } }) : state);
	};
}

/** Stops the running step with a session. Ignores ended steps, because the button may be outdated. */
export function stopStep(session: string): Action {
	return (state) => {
		const runs = state.sessions.open?.transcript?.turns.at(-1)?.runs ?? [];
		const isAtWork = runs.some((run) => run.session === session && !run.ended);
		// Moves the focus, because the button disappears when the step stops.
		return isAtWork ? focusing("transcript", state, { kind: "stopStep", session }) : stay(state);
	};
}

/** Resumes a chain. With a step, runs that step and all later steps again. */
export function resumeChain(step?: string): Action {
	return (state) => {
		const transcript = state.sessions.open?.transcript;
		if (!transcript || !resumableTurn(transcript, state.now)) return stay(state);
		const session = transcript.session.id;
		return focusing("transcript", state, { kind: "resumeChain", session, ...(step && { step }) });
	};
}

export function refreshSessions(state: ViewState): Step {
	const { open } = state.sessions;
	return open ? stay(state, { kind: "readSession", session: open.session }) : requestList(state);
}

/** Stores the received rows. Other rows stay, and are requested again when they become visible. */
export function hearPage(state: ViewState, { filters, offset, sessions, total }: Update<"sessions">): Step {
	const { text, filters: asked, offset: wanted, rows: former } = state.sessions;
	if (text !== "" || offset !== wanted || !sameFilters(filters, asked)) return stay(state);
	const rows = Array.from({ length: total }, (_, index): Row | undefined => {
		const session = sessions[index - offset];
		return session ? { session } : former?.[index];
	});
	const announcement = former ? state.announcement : amounts.sessions(total);
	return stay({ ...withRows(state, rows), announcement });
}

const placesFound = counted(l10n.t("1 place found"), l10n.t("{0} places found"));

export function hearHits(state: ViewState, { filters, text, hits }: Update<"hits">): Step {
	if (text !== state.sessions.text || !sameFilters(filters, state.sessions.filters)) return stay(state);
	return stay({ ...withRows(state, hits), announcement: placesFound(hits.length) });
}

function withRows(state: ViewState, rows: readonly (Row | undefined)[]): ViewState {
	const { rows: former, active: index } = state.sessions;
	const before = former?.[index]?.session.id;
	const moved = before === undefined ? -1 : rows.findIndex((row) => row?.session.id === before);
	return withPart(state, "sessions", { rows, active: clampIndex(moved < 0 ? index : moved, rows.length) });
}

export function hearTranscript(state: ViewState, { transcript }: Update<"transcript">): Step {
	const { open } = state.sessions;
	const isOpen = open?.session === transcript.session.id;
	return stay(isOpen ? withPart(state, "sessions", { open: { ...open, transcript } }) : state);
}

export function hearForked(state: ViewState, { session }: Update<"forked">): Step {
	const announcement = l10n.t("A new session starts with the copied turns.");
	return openSession({ ...state, tab: "sessions", announcement }, session);
}

export function rename({ id, title }: SessionSummary): Action {
	return wanted({ kind: "renameSession", session: id, title });
}
