import { html, type TemplateResult } from "lit";
import type { SessionHit, SessionSummary } from "../../src/core/session/session.ts";
import type { Dispatch } from "../model/event.ts";
import type { ViewState } from "../model/state.ts";
import { icon } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { exactTime, timeAgo } from "../parts/text.ts";
import { openMenuAt } from "./openMenu.ts";
import { renameField } from "./renameField.ts";
import { ENGINES, sessionFacts, sessionName } from "./sessionText.ts";
import { sessionAt } from "./shownSessions.ts";

interface RowView {
	readonly state: ViewState;
	readonly index: number;
}

/** A session in the list: its title, and below what there is to know; of a search, the words that were found. */
export function sessionRow(view: RowView, dispatch: Dispatch): TemplateResult {
	const session = sessionAt(view.state.sessions, view.index);
	return session ? loadedRow(view, session, dispatch) : emptyRow(view.index);
}

/** Holds the place of a session that is on its way. */
function emptyRow(index: number): TemplateResult {
	return html`<div id="row-${index}" class="row" role="row" aria-rowindex=${index + 1} aria-busy="true">
		<div class="cell" role="gridcell"><span class="dim">…</span></div>
	</div>`;
}

function loadedRow({ state, index }: RowView, session: SessionSummary, dispatch: Dispatch): TemplateResult {
	const { active, hits, menu, renaming, text } = state.sessions;
	const hit = text === "" ? undefined : hits?.[index];
	const open = () => dispatch({ kind: "sessionOpened", session: session.id, ...(hit && { turn: hit.turn }) });
	return html`<div
		id="row-${index}"
		class="row ${index === active ? "active" : ""} ${menu?.session.id === session.id ? "chosen" : ""}"
		role="row"
		aria-rowindex=${index + 1}
		aria-selected=${index === active ? "true" : "false"}
		aria-label=${sessionName(session, state.now)}
		@mousedown=${() => dispatch({ kind: "rowChosen", index })}
		@contextmenu=${(event: MouseEvent) => {
			event.preventDefault();
			dispatch({ kind: "menuOpened", menu: { session, x: event.clientX, y: event.clientY } });
		}}
	>
		<div class="cell" role="gridcell" @click=${renaming === session.id ? undefined : open}>
			${icon(ENGINES[session.engine].icon)} ${rowText({ state, index }, session, { hit, dispatch })}
		</div>
		<div class="side" role="gridcell">${moreButton(session, dispatch)}</div>
	</div>`;
}

function rowText(
	{ state }: RowView,
	session: SessionSummary,
	{ hit, dispatch }: { readonly hit: SessionHit | undefined; readonly dispatch: Dispatch },
): TemplateResult {
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
