import type { SessionChange, SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters, ViewUpdate } from "../../src/protocol/webview.ts";
import { type Row, type Step, stay, type ViewState, withSessions } from "../model/state.ts";
import { amounts, counted, l10n } from "../parts/l10n.ts";
import { freshList, missingPages, withPage, withRows } from "./paging.ts";
import { openSession, sameFilters } from "./sessionActions.ts";

type SessionsUpdate = Extract<ViewUpdate, { readonly kind: "sessions" | "hits" | "transcript" | "forked" }>;

/** Handles an update of the host about sessions. Drops answers to outdated requests. */
export function hearSessions(state: ViewState, update: SessionsUpdate): Step {
	const { text, filters, open } = state.sessions;
	switch (update.kind) {
		case "sessions":
		case "hits": {
			const wanted = update.kind === "hits" ? update.text : "";
			return wanted === text && sameFilters(update.filters, filters) ? hearRows(state, update) : stay(state);
		}
		case "transcript": {
			const { transcript } = update;
			if (open?.session !== transcript.session.id) return stay(state);
			return stay(withSessions(state, { open: { ...open, transcript } }));
		}
		case "forked": {
			const announcement = l10n.t("A new session starts with the copied turns.");
			return openSession({ ...state, tab: "sessions", announcement }, update.session);
		}
	}
}

/** A row that moved would take the field along in which its title is being written, and what is in it. */
function isHeld({ renaming, open }: ViewState["sessions"]): boolean {
	return renaming !== undefined && open === undefined;
}

/** Merges the changes into the list. Requests the list again if one belongs among rows that are not loaded. */
export function hearChanges(state: ViewState, changes: readonly SessionChange[]): Step {
	const { sessions, environment, now } = state;
	// The list is requested when its tab is chosen.
	if (state.tab !== "sessions") return stay(state);
	if (isHeld(sessions)) return stay(withSessions(state, { isBehind: true }));
	// What was said may answer a search now.
	if (sessions.text !== "") return refreshSessions(state);
	if (!sessions.rows) return stay(state);
	const rows = withChanges(sessions.rows, changes, (session) =>
		isWanted(session, sessions.filters, { workspace: environment?.workspace ?? "", now }),
	);
	if (!rows) return refreshSessions(state);
	const { open } = sessions;
	const isOpenOld = changes.some(({ id }) => id === open?.session);
	const moved = missingPages(withRows(sessions, rows));
	const requests = open && isOpenOld ? [{ kind: "readSession", session: open.session } as const] : [];
	// What was said of the length of the list must stay true.
	const isCount = state.announcement === amounts.sessions(sessions.rows.length);
	const announcement = isCount ? amounts.sessions(rows.length) : state.announcement;
	return stay({ ...state, sessions: moved.sessions, announcement }, ...moved.requests, ...requests);
}

export function refreshSessions(state: ViewState): Step {
	const { sessions, requests } = freshList(state.sessions);
	const { open } = sessions;
	if (open) requests.push({ kind: "readSession", session: open.session });
	return stay({ ...state, sessions }, ...requests);
}

function hearRows(
	state: ViewState,
	update: Extract<SessionsUpdate, { readonly kind: "sessions" | "hits" }>,
): Step {
	if (isHeld(state.sessions)) return stay(withSessions(state, { isBehind: true }));
	if (update.kind === "hits") {
		const { hits } = update;
		const found = withRows(state.sessions, hits);
		return stay({ ...state, sessions: found, announcement: placesFound(hits.length) });
	}
	const isFirst = state.sessions.rows === undefined;
	// Rows that were on the screen before a reload may lie on other pages.
	const { sessions, requests } = missingPages(withPage(state.sessions, update));
	const announcement = isFirst ? amounts.sessions(update.total) : state.announcement;
	return stay({ ...state, sessions, announcement }, ...requests);
}

const placesFound = counted(l10n.t("1 place found"), l10n.t("{0} places found"));

const DAY = 24 * 60 * 60_000;

type Rows = readonly (Row | undefined)[];

export function isWanted(
	session: SessionSummary,
	{ engine, thisWorkspace, days, archived }: SessionFilters,
	{ workspace, now }: { readonly workspace: string; readonly now: number },
): boolean {
	return (
		session.partOf === undefined &&
		session.archived === archived &&
		(engine === undefined || session.engine === engine) &&
		(!thisWorkspace || session.workspace === workspace) &&
		(days === undefined || session.updatedAt >= now - days * DAY)
	);
}

/** The rows after the changes, most recently used first; `undefined` if that cannot be determined from the loaded rows. */
function withChanges(
	rows: Rows,
	changes: readonly SessionChange[],
	isShown: (session: SessionSummary) => boolean,
): Rows | undefined {
	let next: Rows | undefined = rows;
	for (const change of changes) next = next && withChange(next, change, isShown);
	return next;
}

function withChange(
	rows: Rows,
	{ id, before, after }: SessionChange,
	isShown: (session: SessionSummary) => boolean,
): Rows | undefined {
	const at = rows.findIndex((row) => row?.session.id === id);
	const from = at < 0 && before && isShown(before) ? holeOf(rows, before) : at;
	const left = from < 0 ? rows : rows.toSpliced(from, 1);
	if (!after || !isShown(after)) return left;
	const to = placeOf(left, after);
	return to > 0 && !left[to - 1] ? undefined : left.toSpliced(to, 0, { session: after });
}

/** Index of an unloaded row at which the session must have been; -1 if all of them are loaded. */
function holeOf(rows: Rows, { updatedAt }: SessionSummary): number {
	const next = rows.findIndex((row) => row !== undefined && row.session.updatedAt < updatedAt);
	return rows.lastIndexOf(undefined, next < 0 ? rows.length - 1 : next);
}

/** In front of the first one that was used no later. */
function placeOf(rows: Rows, { updatedAt }: SessionSummary): number {
	const place = rows.findIndex((row) => row !== undefined && row.session.updatedAt <= updatedAt);
	return place < 0 ? rows.length : place;
}
