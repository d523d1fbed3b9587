import { type VirtualizerHostElement, virtualizerRef } from "@lit-labs/virtualizer/virtualize.js";
import type { ViewPart } from "../src/protocol/webview.ts";
import type { SessionsState } from "./model/state.ts";
import { sessionAt } from "./sessions/shownSessions.ts";

/** Pixels of a row of the list; the style sheet says the same. */
const ROW_HEIGHT = 44;

/** Puts the keyboard on an element, or on the tab where there is no such element. */
export async function takeFocus(id: string, tab: ViewPart): Promise<void> {
	const element = document.getElementById(id) ?? document.getElementById(`tab-${tab}`);
	// A component of the library draws its field a moment after it came to the page.
	if (element && "updateComplete" in element) await element.updateComplete;
	element?.focus();
}

/** Where the page has the keyboard and no part of it does, as when the view was shown by its command, its main part gets it. */
export function settleFocus(tab: ViewPart): void {
	if (!document.hasFocus() || document.activeElement !== document.body) return;
	const isLoading = document.querySelector("vscode-progress-ring") !== null;
	const part = document.getElementById("sessions") ?? document.getElementById("transcript");
	if (part) part.focus();
	else if (!isLoading) void takeFocus(`tab-${tab}`, tab);
}

/**
 * Scrolls the list so far that the row is seen to which the keyboard went. Where sessions came before its row nobody
 * moved, and the list stays: who is at its top sees what is new.
 */
export function keepInView(former: SessionsState, sessions: SessionsState): void {
	const { active } = sessions;
	const list = document.getElementById("sessions");
	const isSame = sessionAt(former, former.active)?.id === sessionAt(sessions, active)?.id;
	if (!list || active === former.active || (isSame && former.rows !== sessions.rows)) return;
	const top = active * ROW_HEIGHT;
	const bottom = top + ROW_HEIGHT;
	if (top < list.scrollTop) list.scrollTop = top;
	else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Scrolls what has just come to the page to where a person left it. */
export function restoreScroll(former: SessionsState, sessions: SessionsState): void {
	const { open, rows, shown } = sessions;
	if (open?.transcript && !former.open?.transcript) restoreTranscript(open);
	const listCame = !open && rows && (former.open || !former.rows);
	if (listCame && shown.first > 0) void restoreList(shown.first);
}

function restoreTranscript({ scroll, turn }: NonNullable<SessionsState["open"]>): void {
	const pane = document.getElementById("transcript");
	if (pane && scroll !== undefined) pane.scrollTop = scroll;
	else if (turn !== undefined) document.getElementById(`turn-${turn}`)?.scrollIntoView();
}

/** Whether a person reads the end of a transcript, and wants to go on with it as it grows. */
export function isAtEnd({ open }: SessionsState): boolean {
	const pane = document.getElementById("transcript");
	if (!open?.transcript || !pane) return false;
	return pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - ROW_HEIGHT;
}

export function scrollToEnd(): void {
	const pane = document.getElementById("transcript");
	if (pane) pane.scrollTop = pane.scrollHeight;
}

/** The list is as long as its rows only after its first layout. */
async function restoreList(first: number): Promise<void> {
	const list: VirtualizerHostElement | null = document.getElementById("sessions");
	await list?.[virtualizerRef]?.layoutComplete;
	if (list) list.scrollTop = first * ROW_HEIGHT;
}

/** Distance from the edges of the page, in pixels. */
const MARGIN = 4;

/** Puts a menu that has just come where it was asked for, as far as it fits, and the keyboard on its first item. */
export function placeMenu(former: SessionsState, { menu: wanted }: SessionsState): void {
	const menu = document.getElementById("menu");
	if (!menu || !wanted || wanted === former.menu) return;
	const { x, y } = wanted;
	const { offsetWidth: width, offsetHeight: height } = menu;
	menu.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
	const above = y - height - MARGIN;
	const fits = y + height + MARGIN <= innerHeight;
	menu.style.top = `${Math.max(MARGIN, fits ? y : Math.max(above, innerHeight - height - MARGIN))}px`;
	menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
}
