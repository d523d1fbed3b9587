import type { ViewUpdate } from "../../src/protocol/webview.ts";
import { type Row, type Step, stay, type ViewState, withSessions } from "../model/state.ts";
import { amounts, counted, l10n } from "../parts/l10n.ts";
import { clampIndex, openSession, requestList, sameFilters } from "./sessionActions.ts";

type SessionsUpdate = Extract<ViewUpdate, { readonly kind: "sessions" | "hits" | "transcript" | "forked" }>;

/** Handles an update of the host about sessions. Drops answers to outdated requests. */
export function hearSessions(state: ViewState, update: SessionsUpdate): Step {
	const { text, filters, offset, open } = state.sessions;
	switch (update.kind) {
		case "sessions": {
			const isWanted = text === "" && offset === update.offset && sameFilters(update.filters, filters);
			return stay(isWanted ? withPage(state, update) : state);
		}
		case "hits": {
			if (update.text !== text || !sameFilters(update.filters, filters)) return stay(state);
			return stay({ ...withRows(state, update.hits), announcement: placesFound(update.hits.length) });
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

/** Requests what the tab shows: the session that is open, or the list. */
export function refreshSessions(state: ViewState): Step {
	const { open } = state.sessions;
	return open ? stay(state, { kind: "readSession", session: open.session }) : requestList(state);
}

const placesFound = counted(l10n.t("1 place found"), l10n.t("{0} places found"));

/** Rows elsewhere stay as they were: they are requested again when they come to the screen. */
function withPage(state: ViewState, page: Extract<SessionsUpdate, { readonly kind: "sessions" }>): ViewState {
	const { rows: former } = state.sessions;
	const rows = Array.from({ length: page.total }, (_, index): Row | undefined => {
		const session = page.sessions[index - page.offset];
		return session ? { session } : former?.[index];
	});
	const announcement = former ? state.announcement : amounts.sessions(page.total);
	return { ...withRows(state, rows), announcement };
}

/** Other rows. The row of the keyboard follows its session. */
function withRows(state: ViewState, rows: readonly (Row | undefined)[]): ViewState {
	const { rows: former, active: index } = state.sessions;
	const before = former?.[index]?.session.id;
	const moved = before === undefined ? -1 : rows.findIndex((row) => row?.session.id === before);
	return withSessions(state, { rows, active: clampIndex(moved < 0 ? index : moved, rows.length) });
}
