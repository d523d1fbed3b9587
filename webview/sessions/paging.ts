import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import type { Row, SessionsState } from "../model/state.ts";

const PAGE = 100;

interface Asked {
	readonly sessions: SessionsState;
	readonly requests: ViewRequest[];
}

/** Asks for what a fresh list must show: the best of a search, or the pages around the rows on the screen. */
export function freshList(sessions: SessionsState): Asked {
	const { filters, text } = sessions;
	if (text !== "") return { sessions, requests: [{ kind: "searchSessions", filters, text }] };
	// Without their rows the others are asked for again when somebody comes there.
	const offsets = new Set(pagesOf(sessions.shown));
	const rows = sessions.rows?.map((row, index) => (offsets.has(pageOf(index)) ? row : undefined));
	return askedFor({ ...sessions, rows, asked: [] }, [...offsets]);
}

/** Asks for the pages that hold the rows on the screen and were not asked for yet. */
export function missingPages(sessions: SessionsState): Asked {
	if (sessions.text !== "" || !sessions.rows) return { sessions, requests: [] };
	const missing = pagesOf(sessions.shown).filter((offset) => !sessions.asked.includes(offset));
	return askedFor(sessions, missing);
}

/** Puts a page in its place. */
export function withPage(
	sessions: SessionsState,
	page: Extract<ViewUpdate, { readonly kind: "sessions" }>,
): SessionsState {
	const { offset, sessions: loaded } = page;
	const rows = Array.from({ length: page.total }, (_, index): Row | undefined => {
		const session = loaded[index - offset];
		return session ? { session } : sessions.rows?.[index];
	});
	return withRows(sessions, rows);
}

/** Other rows. The row of the keyboard follows its session. */
export function withRows(sessions: SessionsState, rows: readonly (Row | undefined)[]): SessionsState {
	const { rows: old, active: index } = sessions;
	const before = old?.[index]?.session.id;
	const moved = before === undefined ? -1 : rows.findIndex((row) => row?.session.id === before);
	return { ...sessions, rows, active: clampIndex(moved < 0 ? index : moved, rows.length) };
}

export function clampIndex(index: number, length: number): number {
	return Math.max(0, Math.min(index, length - 1));
}

function askedFor(sessions: SessionsState, offsets: readonly number[]): Asked {
	const { filters } = sessions;
	return {
		sessions: { ...sessions, asked: [...sessions.asked, ...offsets] },
		requests: offsets.map((offset) => ({ kind: "listSessions", filters, offset, limit: PAGE })),
	};
}

function pagesOf({ first, last }: SessionsState["shown"]): number[] {
	const offsets: number[] = [];
	for (let offset = pageOf(first); offset <= last; offset += PAGE) offsets.push(offset);
	return offsets;
}

function pageOf(index: number): number {
	return Math.floor(index / PAGE) * PAGE;
}
