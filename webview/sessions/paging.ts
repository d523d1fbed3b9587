import type { SessionSummary } from "../../src/core/session/session.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import type { SessionsState } from "../model/state.ts";

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
	return askedFor({ ...sessions, rows, hits: undefined, asked: [] }, [...offsets]);
}

/** Asks for the pages that hold the rows on the screen and were not asked for yet. */
export function missingPages(sessions: SessionsState): Asked {
	if (sessions.text !== "" || !sessions.rows) return { sessions, requests: [] };
	return askedFor(
		sessions,
		pagesOf(sessions.shown).filter((offset) => !sessions.asked.includes(offset)),
	);
}

/** Puts a page in its place. The row of the keyboard follows its session. */
export function withPage(
	sessions: SessionsState,
	page: Extract<ViewUpdate, { readonly kind: "sessions" }>,
): SessionsState {
	const rows: (SessionSummary | undefined)[] = Array.from(
		{ length: page.total },
		(_, index) => sessions.rows?.[index],
	);
	for (const [index, session] of page.sessions.entries()) rows[page.offset + index] = session;
	return { ...sessions, ...withRows(sessions, rows) };
}

/** Other rows. The row of the keyboard follows its session. */
export function withRows(
	{ rows: old, active: index }: SessionsState,
	rows: readonly (SessionSummary | undefined)[],
) {
	const before = old?.[index]?.id;
	const moved = before === undefined ? -1 : rows.findIndex((row) => row?.id === before);
	return { rows, active: clampIndex(moved < 0 ? index : moved, rows.length) };
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
