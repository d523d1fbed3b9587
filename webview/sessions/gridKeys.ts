import type { Dispatch, ViewEvent } from "../model/event.ts";
import type { SessionsState } from "../model/state.ts";
import { isMenuKey, openMenuAt } from "./openMenu.ts";
import { clampIndex } from "./paging.ts";
import { rowCount, sessionAt } from "./shownSessions.ts";

/** The keys of the list. */
export function onGridKey(event: KeyboardEvent, sessions: SessionsState, dispatch: Dispatch): void {
	const index = indexAfter(event, sessions);
	if (index !== undefined) dispatch({ kind: "rowChosen", index });
	else if (isMenuKey(event)) openMenuOfRow(sessions, dispatch);
	else {
		const wanted = eventFor(event, sessions);
		if (!wanted) return;
		dispatch(wanted);
	}
	event.preventDefault();
}

/** The row that a key leads to; absent for other keys. */
function indexAfter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, sessions: SessionsState) {
	if (ctrlKey || metaKey || altKey) return undefined;
	const { active, shown } = sessions;
	const page = Math.max(1, shown.last - shown.first - 1);
	const last = (rowCount(sessions) ?? 1) - 1;
	const steps: Record<string, number> = {
		ArrowDown: active + 1,
		ArrowUp: active - 1,
		PageDown: active + page,
		PageUp: active - page,
		Home: 0,
		End: last,
	};
	const index = steps[key];
	return index === undefined ? undefined : clampIndex(index, last + 1);
}

/** What a key does with the session of the row. */
function eventFor({ key }: KeyboardEvent, sessions: SessionsState): ViewEvent | undefined {
	const { active, hits, text } = sessions;
	const session = sessionAt(sessions, active)?.id;
	if (session === undefined) return undefined;
	const turn = text === "" ? undefined : hits?.[active]?.turn;
	switch (key) {
		case "Enter":
		case " ":
			return { kind: "sessionOpened", session, ...(turn !== undefined && { turn }) };
		case "F2":
			return { kind: "renameBegun", session };
		case "Delete":
			return { kind: "wanted", request: { kind: "deleteSession", session } };
		default:
			return undefined;
	}
}

function openMenuOfRow(sessions: SessionsState, dispatch: Dispatch): void {
	const session = sessionAt(sessions, sessions.active);
	const row = document.getElementById(`row-${sessions.active}`);
	if (session && row) openMenuAt(row, session, dispatch);
}
