import { flow } from "@lit-labs/virtualizer/layouts/flow.js";
import { virtualize } from "@lit-labs/virtualizer/virtualize.js";
import { html, nothing, type TemplateResult } from "lit";
import type { SessionFilters } from "../../src/protocol/webview.ts";
import {
	type Dispatch,
	menuOf,
	type Row,
	type SessionsState,
	type ViewState,
	wanted,
} from "../model/state.ts";
import { choosersOf, emptyNote, icon, loadingNote, openMenu, searchField } from "../parts/elements.ts";
import { exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import * as actions from "./sessionActions.ts";
import { clampIndex, ENGINES, isNarrowed, sessionFacts, sessionName } from "./sessionActions.ts";
import { transcriptPane } from "./transcript.ts";

export function sessionsPane(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { open } = state.sessions;
	if (open) return transcriptPane(state, open, dispatch);
	return html`<section class="pane" aria-label=${l10n.t("Sessions")}>
		${toolbar(state, dispatch)} ${rowList(state, dispatch)}
	</section>`;
}

function rowList(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { rows } = state.sessions;
	if (!rows) return loadingNote();
	return rows.length === 0 ? emptyNote(nothingFound(state.sessions)) : sessionGrid(state, rows, dispatch);
}

function nothingFound({ text, filters }: SessionsState): string {
	if (text !== "") return l10n.t("No sessions match “{0}”. Try other words, or fewer filters.", text);
	if (isNarrowed(filters)) return l10n.t("No sessions match these filters.");
	return l10n.t("No sessions yet. Ask @copilot-ld in the chat: questions and answers are kept here.");
}

const layout = flow();

/** Keeps the focus on the grid, which names the active row, because rows that scroll away leave the page. */
function sessionGrid(state: ViewState, rows: readonly (Row | undefined)[], dispatch: Dispatch) {
	const { active, shown } = state.sessions;
	const session = rows[active]?.session;
	const isThere = active >= shown.first && active <= shown.last;
	return html`<div id="sessions" class="scroll rows" role="grid" tabindex="0"
		aria-label=${l10n.t("Sessions")}
		aria-rowcount=${rows.length}
		aria-activedescendant=${isThere ? `row-${active}` : nothing}
		data-vscode-context=${session ? menuOf(session, "row") : nothing}
		@keydown=${(event: KeyboardEvent) => onGridKey(event, state.sessions, dispatch)}
		@visibilityChanged=${({ first, last }: { readonly first: number; readonly last: number }) =>
			dispatch(actions.showRows(first, last))}
	>
		${virtualize<Row | undefined>({
			// The virtualizer only reads the array. A copy would be laid out again.
			items: rows as (Row | undefined)[],
			keyFunction: (_row, index) => index,
			renderItem: (row, index) => (row ? loadedRow(state, index, row, dispatch) : loadingRow(index)),
			layout,
			scroller: true,
		})}
	</div>`;
}

function onGridKey(event: KeyboardEvent, sessions: SessionsState, dispatch: Dispatch): void {
	const index = indexAfter(event, sessions);
	const action = index === undefined ? actionFor(event, sessions) : actions.chooseRow(index);
	if (!action) return;
	dispatch(action);
	event.preventDefault();
}

function indexAfter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, sessions: SessionsState) {
	if (ctrlKey || metaKey || altKey) return undefined;
	const { active, shown, rows } = sessions;
	const page = Math.max(1, shown.last - shown.first - 1);
	const last = (rows?.length ?? 1) - 1;
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

function actionFor({ key }: KeyboardEvent, sessions: SessionsState) {
	const row = sessions.rows?.[sessions.active];
	if (!row) return undefined;
	const session = row.session.id;
	switch (key) {
		case "Enter":
		case " ":
			return (state: ViewState) => actions.openSession(state, session, row.turn);
		case "F2":
			return actions.rename(row.session);
		case "Delete":
			return wanted({ kind: "deleteSession", session });
		default:
			return undefined;
	}
}

function loadingRow(index: number): TemplateResult {
	return html`<div id="row-${index}" class="row" role="row" aria-rowindex=${index + 1} aria-busy="true">
		<div class="cell" role="gridcell"><span class="dim">…</span></div>
	</div>`;
}

function loadedRow(state: ViewState, index: number, row: Row, dispatch: Dispatch): TemplateResult {
	const { session, turn } = row;
	const open = () => dispatch((now) => actions.openSession(now, session.id, turn));
	const isActive = index === state.sessions.active;
	return html`<div id="row-${index}" class="row ${isActive ? "active" : ""}" role="row"
		aria-rowindex=${index + 1}
		aria-selected=${isActive}
		aria-label=${sessionName(session, state.now)}
		data-vscode-context=${menuOf(session, "row")}
		@mousedown=${() => dispatch(actions.chooseRow(index))}
	>
		<div class="cell" role="gridcell" @click=${open}>
			${icon(ENGINES[session.engine].icon)} ${rowText(state, row)}
		</div>
		<div class="side" role="gridcell">
			<button type="button" class="action" tabindex="-1" title=${l10n.t("More Actions (Shift+F10)")}
				aria-label=${l10n.t("More Actions")} @click=${openMenu}>${icon("ellipsis")}</button>
		</div>
	</div>`;
}

function rowText({ sessions, now }: ViewState, { session, excerpt }: Row): TemplateResult {
	const below = excerpt ?? sessionFacts(session, !sessions.filters.thisWorkspace);
	return html`<div class="lines">
		<div class="line">
			<span class="ellipsis grow" title=${session.title}>${session.title}</span>
			<span class="dim time" title=${exactTime(session.updatedAt)}>${timeAgo(session.updatedAt, now)}</span>
		</div>
		<span class="dim ellipsis" title=${below}>${below}</span>
	</div>`;
}

function toolbar({ sessions, environment }: ViewState, dispatch: Dispatch): TemplateResult {
	const { text, filters, showsFilters } = sessions;
	const isOn = isNarrowed(filters);
	return html`<div class="toolbar">
			${searchField("search", l10n.t("Search sessions"), text, (wanted) => dispatch(actions.search(wanted)))}
			<button type="button" class="action ${isOn ? "on" : ""}" title=${l10n.t("Filter")}
				aria-label=${isOn ? l10n.t("Filter (active)") : l10n.t("Filter")}
				aria-expanded=${showsFilters} aria-controls="filters"
				@click=${() => dispatch(actions.toggleFilters)}>${icon(isOn ? "filter-filled" : "filter")}</button>
		</div>
		<div id="filters" class="filters" ?hidden=${!showsFilters}>
			${showsFilters ? choosers(filters, environment?.workspace !== "", dispatch) : nothing}
		</div>`;
}

const ENGINE_CHOICES = [
	[undefined, l10n.t("All engines")],
	["model", ENGINES.model.label],
	["cli", ENGINES.cli.label],
	["mcp", ENGINES.mcp.label],
] as const;
const PLACE_CHOICES = [
	[false, l10n.t("All workspaces")],
	[true, l10n.t("This workspace")],
] as const;
const DAY_CHOICES = [
	[undefined, l10n.t("Any time")],
	[1, l10n.t("Last 24 hours")],
	[7, l10n.t("Last 7 days")],
	[30, l10n.t("Last 30 days")],
] as const;
const ARCHIVE_CHOICES = [
	[false, l10n.t("Not archived")],
	[true, l10n.t("Archived")],
] as const;

function choosers(filters: SessionFilters, hasWorkspace: boolean, dispatch: Dispatch): TemplateResult {
	const chooser = choosersOf(filters, (field, value) =>
		dispatch(actions.chooseFilters({ ...filters, [field]: value })),
	);
	return html`${chooser("engine", "filter-engine", l10n.t("Engine"), ENGINE_CHOICES)}
	${hasWorkspace ? chooser("thisWorkspace", "filter-workspace", l10n.t("Workspace"), PLACE_CHOICES) : nothing}
	${chooser("days", "filter-date", l10n.t("Date"), DAY_CHOICES)}
	${chooser("archived", "filter-archived", l10n.t("Archive"), ARCHIVE_CHOICES)}`;
}
