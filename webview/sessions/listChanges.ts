import type { SessionChange, SessionSummary } from "../../src/core/session/session.ts";
import type { SessionFilters } from "../../src/protocol/webview.ts";

const DAY = 24 * 60 * 60_000;

type Rows = readonly (SessionSummary | undefined)[];

/** Whether the list shows a session. */
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

/** The rows after the changes, used last, first; undefined where that cannot be told from the rows that are loaded. */
export function withChanges(
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
	const at = rows.findIndex((row) => row?.id === id);
	const from = at < 0 && before && isShown(before) ? holeOf(rows, before) : at;
	const left = from < 0 ? rows : rows.toSpliced(from, 1);
	if (!after || !isShown(after)) return left;
	const to = placeOf(left, after);
	return to > 0 && !left[to - 1] ? undefined : left.toSpliced(to, 0, after);
}

/** A row that is not loaded where the session must have been; -1 where all there are loaded. */
function holeOf(rows: Rows, { updatedAt }: SessionSummary): number {
	const next = rows.findIndex((row) => row !== undefined && row.updatedAt < updatedAt);
	return rows.lastIndexOf(undefined, next < 0 ? rows.length - 1 : next);
}

/** In front of the first one that was used no later. */
function placeOf(rows: Rows, { updatedAt }: SessionSummary): number {
	const place = rows.findIndex((row) => row !== undefined && row.updatedAt <= updatedAt);
	return place < 0 ? rows.length : place;
}
