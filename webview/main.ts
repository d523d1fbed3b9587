import { type VirtualizerHostElement, virtualizerRef } from "@lit-labs/virtualizer/virtualize.js";
import { html, nothing, render, type TemplateResult } from "lit";
import type { ViewPart, ViewRequest, ViewUpdate } from "../src/protocol/webview.ts";
import { memoryPane } from "./memory/memoryPane.ts";
import {
	type Action,
	type Dispatch,
	openingState,
	type SavedState,
	savedState,
	stay,
	type ViewState,
} from "./model/state.ts";
import { chooseTab, dropProblem, dropUndo, hear, open, retry, undo } from "./pageActions.ts";
import { action, button, focusByKey, icon } from "./parts/elements.ts";
import { l10n } from "./parts/l10n.ts";
import { permissionsPane } from "./permissions/permissionsPane.ts";
import { sessionsPane } from "./sessions/sessionsPane.ts";

declare function acquireVsCodeApi(): {
	postMessage(request: ViewRequest): void;
	getState(): SavedState | undefined;
	setState(state: SavedState): void;
};

type Sessions = ViewState["sessions"];

/** Milliseconds between updates of relative times. */
const TICK = 30_000;
/** Milliseconds for which an undo is offered. */
const UNDO_TIME = 15_000;

function openPage(root: HTMLElement): Dispatch {
	const vscode = acquireVsCodeApi();
	let state = openingState(vscode.getState(), Date.now());
	let undoTimer: ReturnType<typeof setTimeout> | undefined;
	const waiting: Action[] = [];
	const dispatch = (action: Action) => {
		// An element that leaves the page may send an event during drawing, so the action waits its turn.
		if (waiting.push(action) > 1) return;
		for (let next = waiting[0]; next; waiting.shift(), next = waiting[0]) take(next);
	};
	const take = (action: Action) => {
		const former = state;
		const { state: following, requests, focus } = action(former);
		state = following;
		for (const request of requests) vscode.postMessage(request);
		if (state !== former) draw(former);
		if (focus !== undefined) takeFocus(focus, state.tab);
		else settleFocus(state.tab);
	};
	const draw = (former: ViewState) => {
		const follows = isAtEnd(former.sessions);
		render(page(state, dispatch), root);
		vscode.setState(savedState(state));
		keepInView(former.sessions, state.sessions);
		restoreScroll(former.sessions, state.sessions);
		if (follows && state.sessions.open?.transcript !== former.sessions.open?.transcript)
			document.getElementById("transcript")?.scrollTo({ top: Number.MAX_SAFE_INTEGER });
		if (state.undo === former.undo) return;
		clearTimeout(undoTimer);
		if (state.undo) undoTimer = setTimeout(() => dispatch(dropUndo), UNDO_TIME);
	};
	window.addEventListener("focus", () => settleFocus(state.tab));
	document.addEventListener("keydown", (event) => onKey(event, state, dispatch));
	return dispatch;
}

function onKey(event: KeyboardEvent, { tab, undo: offered }: ViewState, dispatch: Dispatch): void {
	const [target] = event.composedPath();
	const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
	const key = (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + event.key.toLowerCase();
	const field = document.getElementById(SEARCH_FIELDS[tab]);
	if (field && (key === "Ctrl+f" || (key === "/" && !isTyping))) field.focus();
	else if (offered && key === "Ctrl+z" && !event.shiftKey && !isTyping) dispatch(undo);
	else return;
	event.preventDefault();
}

const SEARCH_FIELDS = { sessions: "search", memory: "facts-search", permissions: "audit-search" };

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 44;

function takeFocus(id: string, tab: ViewPart): void {
	(document.getElementById(id) ?? document.getElementById(`tab-${tab}`))?.focus();
}

/** Focuses the main part if the page, but no element, has the focus, as after the view's command. */
function settleFocus(tab: ViewPart): void {
	if (!document.hasFocus() || document.activeElement !== document.body) return;
	const isLoading = document.querySelector(".empty[role=status]") !== null;
	const part = document.getElementById("sessions") ?? document.getElementById("transcript");
	if (part) part.focus();
	else if (!isLoading) takeFocus(`tab-${tab}`, tab);
}

/** Scrolls to the active row, except if only new sessions changed the position of the row. */
function keepInView(former: Sessions, sessions: Sessions): void {
	const { active } = sessions;
	const list = document.getElementById("sessions");
	const isSame = former.rows?.[former.active]?.session.id === sessions.rows?.[active]?.session.id;
	if (!list || active === former.active || (isSame && former.rows !== sessions.rows)) return;
	const top = active * ROW_HEIGHT;
	const bottom = top + ROW_HEIGHT;
	if (top < list.scrollTop) list.scrollTop = top;
	else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function restoreScroll(former: Sessions, sessions: Sessions): void {
	const { open, rows, shown } = sessions;
	const pane = document.getElementById("transcript");
	if (pane && open?.transcript && !former.open?.transcript) {
		if (open.scroll === undefined) document.getElementById(`turn-${open.turn}`)?.scrollIntoView();
		else pane.scrollTop = open.scroll;
	}
	const listCame = !open && rows && (former.open || !former.rows);
	if (listCame && shown.first > 0) void restoreList(shown.first);
}

/** Whether the end of a transcript is on the screen, so that the page scrolls with new text. */
function isAtEnd({ open }: Sessions): boolean {
	const pane = document.getElementById("transcript");
	if (!open?.transcript || !pane) return false;
	return pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - ROW_HEIGHT;
}

/** Scrolls after the first layout, because the list does not have its full height before. */
async function restoreList(first: number): Promise<void> {
	const list: VirtualizerHostElement | null = document.getElementById("sessions");
	await list?.[virtualizerRef]?.layoutComplete;
	if (list) list.scrollTop = first * ROW_HEIGHT;
}

const TABS: Record<ViewPart, { readonly title: string; readonly pane: typeof sessionsPane }> = {
	sessions: { title: l10n.t("Sessions"), pane: sessionsPane },
	memory: { title: l10n.t("Memory"), pane: memoryPane },
	permissions: { title: l10n.t("Permissions"), pane: permissionsPane },
};
const PARTS = Object.keys(TABS) as ViewPart[];

function page(state: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<main class="page">
		<h1 class="spoken">${TABS[state.tab].title}</h1>
		${tabs(state, dispatch)}
		<div class="main" id="panel" role="tabpanel" aria-labelledby="tab-${state.tab}">${TABS[state.tab].pane(state, dispatch)}</div>
		${bars(state, dispatch)}
		<div class="spoken" role="status" aria-live="polite">${state.announcement}</div>
	</main>`;
}

function tabs({ tab }: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<div class="tabs" role="tablist" @keydown=${onTabKey}>
		${PARTS.map((part) => {
			const isChosen = part === tab;
			return html`<button type="button" id="tab-${part}" role="tab" aria-selected=${isChosen} aria-controls="panel"
				tabindex=${isChosen ? 0 : -1} @click=${() => dispatch(chooseTab(part))}>${TABS[part].title}</button>`;
		})}
	</div>`;
}

/** Arrow keys open a tab without Enter, because all content is on this machine and appears at once. */
function onTabKey(event: KeyboardEvent): void {
	focusByKey(event, "[role=tab]", ["ArrowLeft", "ArrowRight"])?.click();
}

function tabOf({ request }: NonNullable<ViewState["undo"]>): ViewPart {
	if (request.kind === "rememberFact") return "memory";
	return request.kind === "addRule" ? "permissions" : "sessions";
}

function bars({ undo: offered, problem, tab }: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<div role="alert">
			${
				problem
					? html`<div class="bar error">
							${icon("error")}<span class="grow">${problem.message}</span>
							${button(l10n.t("Retry"), () => dispatch(retry))}
							${action("close", l10n.t("Dismiss"), () => dispatch(dropProblem))}
						</div>`
					: nothing
			}
		</div>
		${
			offered && tabOf(offered) === tab
				? html`<div class="bar">
						<span class="grow ellipsis" title=${offered.label}>${offered.label}</span>
						<button type="button" id="undo" class="button secondary" title=${l10n.t("Undo (Ctrl+Z or Cmd+Z)")} @click=${() => dispatch(undo)}>${l10n.t("Undo")}</button>
						${action("close", l10n.t("Dismiss"), () => dispatch(dropUndo))}
					</div>`
				: nothing
		}`;
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
const dispatch = openPage(root);
window.addEventListener("message", ({ data }: MessageEvent<ViewUpdate>) => dispatch(hear(data)));
setInterval(() => dispatch((state) => stay({ ...state, now: Date.now() })), TICK);
dispatch(open);
