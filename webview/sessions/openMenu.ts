import type { SessionSummary } from "../../src/core/session/session.ts";
import type { Dispatch } from "../model/event.ts";

/** Opens a session's menu below an element. */
export function openMenuAt(element: Element, session: SessionSummary, dispatch: Dispatch): void {
	const { left, right, bottom, width } = element.getBoundingClientRect();
	// Below a button its right edges meet; below a row it begins where the row does.
	dispatch({ kind: "menuOpened", menu: { session, x: width < 40 ? right : left, y: bottom } });
}

export function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
	return key === "ContextMenu" || (key === "F10" && shiftKey);
}
