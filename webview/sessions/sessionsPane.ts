import { html, nothing, type TemplateResult } from "lit";
import type { Dispatch } from "../model/event.ts";
import type { SessionsState, ViewState } from "../model/state.ts";
import { emptyNote, loadingNote } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { sessionGrid } from "./sessionGrid.ts";
import { sessionMenu } from "./sessionMenu.ts";
import { isNarrowed, rowCount } from "./shownSessions.ts";
import { sessionsToolbar } from "./toolbar.ts";
import { transcriptPane } from "./transcript.ts";

/** The tab "Sessions": the list, or the session that is open. */
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
