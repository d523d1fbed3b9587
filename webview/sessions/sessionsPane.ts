import { flow } from "@lit-labs/virtualizer/layouts/flow.js";
import { virtualize } from "@lit-labs/virtualizer/virtualize.js";
import { html, nothing, type TemplateResult } from "lit";
import type { SessionHit, SessionSummary } from "../../src/core/session/session.ts";
import { type Action, type Dispatch, wanted } from "../model/action.ts";
import type { SessionsState, ViewState } from "../model/state.ts";
import { emptyNote, icon, loadingNote } from "../parts/elements.ts";
import { exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import { clampIndex } from "./paging.ts";
import {
	beginRename,
	chooseRow,
	ENGINES,
	isNarrowed,
	openMenu,
	openSession,
	rowCount,
	sessionAt,
	sessionFacts,
	sessionName,
	showRows,
} from "./sessionActions.ts";
import { isMenuKey, openMenuAt, sessionMenu } from "./sessionMenu.ts";
import { sessionsToolbar } from "./toolbar.ts";
import { renameField, transcriptPane } from "./transcript.ts";

export function sessionsPane(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { open, menu } = state.sessions;
	return html`${open ? transcriptPane(state, open, dispatch) : listPane(state, dispatch)}
	${menu ? sessionMenu(menu, dispatch) : nothing}`;
}

function listPane(state: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<section class="pane" aria-label=${l10n.t("Sessions")}>
		${sessionsToolbar(state.sessions, state.environment, dispatch)} ${list(state, dispatch)}
	</section>`;
}

function list(state: ViewState, dispatch: Dispatch): TemplateResult {
	const rows = rowCount(state.sessions);
	if (rows === undefined) return loadingNote();
	return rows === 0 ? emptyNote(nothingFound(state.sessions)) : sessionGrid(state, dispatch);
}

function nothingFound({ text, filters }: SessionsState): string {
	if (text !== "") return l10n.t("No sessions match “{0}”. Try other words, or fewer filters.", text);
	if (isNarrowed(filters)) return l10n.t("No sessions match these filters.");
	return l10n.t("No sessions yet. Ask @copilot-ld in the chat: questions and answers are kept here.");
}

const layout = flow();

/** Focus stays on the grid, which names the active row, as in VS Code's lists: rows scrolled away leave the page. */
function sessionGrid(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { sessions } = state;
	const { active, shown, text, rows, hits } = sessions;
	const isThere = active >= shown.first && active <= shown.last;
	return html`<div
		id="sessions"
		class="scroll rows"
		role="grid"
		aria-label=${l10n.t("Sessions")}
		aria-rowcount=${rowCount(sessions) ?? 0}
		aria-activedescendant=${isThere ? `row-${active}` : nothing}
		tabindex="0"
		@keydown=${(event: KeyboardEvent) => onGridKey(event, sessions, dispatch)}
		@visibilityChanged=${({ first, last }: { readonly first: number; readonly last: number }) =>
			dispatch(showRows(first, last))}
	>
		${virtualize<SessionSummary | SessionHit | undefined>({
			// The virtualizer reads them only.
			items: (text === "" ? rows : hits) as (SessionSummary | SessionHit | undefined)[],
			keyFunction: (_item, index) => index,
			renderItem: (_item, index) => sessionRow(state, index, dispatch),
			layout,
			scroller: true,
		})}
	</div>`;
}

function onGridKey(event: KeyboardEvent, sessions: SessionsState, dispatch: Dispatch): void {
	const index = indexAfter(event, sessions);
	const action = index === undefined ? actionFor(event, sessions) : chooseRow(index);
	if (action) dispatch(action);
	else if (isMenuKey(event)) openMenuOfRow(sessions, dispatch);
	else return;
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

function actionFor({ key }: KeyboardEvent, sessions: SessionsState): Action | undefined {
	const { active, hits, text } = sessions;
	const session = sessionAt(sessions, active)?.id;
	if (session === undefined) return undefined;
	const turn = text === "" ? undefined : hits?.[active]?.turn;
	switch (key) {
		case "Enter":
		case " ":
			return (state) => openSession(state, session, turn);
		case "F2":
			return beginRename(session);
		case "Delete":
			return wanted({ kind: "deleteSession", session });
		default:
			return undefined;
	}
}

function openMenuOfRow(sessions: SessionsState, dispatch: Dispatch): void {
	const session = sessionAt(sessions, sessions.active);
	const row = document.getElementById(`row-${sessions.active}`);
	if (session && row) openMenuAt(row, session, dispatch);
}

interface RowView {
	readonly state: ViewState;
	readonly index: number;
	readonly session: SessionSummary;
	/** In a search. */
	readonly hit: SessionHit | undefined;
}

function sessionRow(state: ViewState, index: number, dispatch: Dispatch): TemplateResult {
	const session = sessionAt(state.sessions, index);
	const hit = state.sessions.text === "" ? undefined : state.sessions.hits?.[index];
	if (session) return loadedRow({ state, index, session, hit }, dispatch);
	return html`<div id="row-${index}" class="row" role="row" aria-rowindex=${index + 1} aria-busy="true">
		<div class="cell" role="gridcell"><span class="dim">…</span></div>
	</div>`;
}

/** A session in the list: its title and facts; in a search, the matching words. */
function loadedRow(row: RowView, dispatch: Dispatch): TemplateResult {
	const { state, index, session, hit } = row;
	const { active, menu, renaming } = state.sessions;
	const open = () => dispatch((now) => openSession(now, session.id, hit?.turn));
	return html`<div
		id="row-${index}"
		class="row ${index === active ? "active" : ""} ${menu?.session.id === session.id ? "chosen" : ""}"
		role="row"
		aria-rowindex=${index + 1}
		aria-selected=${index === active ? "true" : "false"}
		aria-label=${sessionName(session, state.now)}
		@mousedown=${() => dispatch(chooseRow(index))}
		@contextmenu=${(event: MouseEvent) => {
			event.preventDefault();
			dispatch(openMenu({ session, x: event.clientX, y: event.clientY }));
		}}
	>
		<div class="cell" role="gridcell" @click=${renaming === session.id ? undefined : open}>
			${icon(ENGINES[session.engine].icon)} ${rowText(row, dispatch)}
		</div>
		<div class="side" role="gridcell">${moreButton(session, dispatch)}</div>
	</div>`;
}

function rowText({ state, session, hit }: RowView, dispatch: Dispatch): TemplateResult {
	const { filters, renaming } = state.sessions;
	const below = hit ? hit.excerpt : sessionFacts(session, !filters.thisWorkspace);
	const title = html`<div class="line">
		<span class="ellipsis grow" title=${session.title}>${session.title}</span>
		<span class="dim time" title=${exactTime(session.updatedAt)}>${timeAgo(session.updatedAt, state.now)}</span>
	</div>`;
	return html`<div class="lines">
		${renaming === session.id ? renameField(session, dispatch) : title}
		<span class="dim ellipsis" title=${below}>${below}</span>
	</div>`;
}

function moreButton(session: SessionSummary, dispatch: Dispatch): TemplateResult {
	return html`<button
		type="button"
		class="action more"
		tabindex="-1"
		title=${l10n.t("More Actions (Shift+F10)")}
		aria-label=${l10n.t("More Actions")}
		@click=${(event: Event) => openMenuAt(event.currentTarget as Element, session, dispatch)}
	>
		${icon("ellipsis")}
	</button>`;
}
