import { flow } from "@lit-labs/virtualizer/layouts/flow.js";
import { virtualize } from "@lit-labs/virtualizer/virtualize.js";
import { html, nothing, type TemplateResult } from "lit";
import type { SessionHit, SessionSummary } from "../../src/core/session/session.ts";
import type { Dispatch } from "../model/event.ts";
import type { SessionsState, ViewState } from "../model/state.ts";
import { l10n } from "../parts/l10n.ts";
import { onGridKey } from "./gridKeys.ts";
import { sessionRow } from "./sessionRow.ts";
import { rowCount } from "./shownSessions.ts";

const layout = flow();

/**
 * The rows. The keyboard stays on the grid, which names the row that it is on, as the lists of VS Code do: rows that
 * are scrolled away leave the page, and would take the keyboard with them.
 */
export function sessionGrid(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { sessions } = state;
	const { active, shown } = sessions;
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
			dispatch({ kind: "rowsShown", first, last })}
	>
		${virtualize<SessionSummary | SessionHit | undefined>({
			items: itemsOf(sessions),
			keyFunction: (_item, index) => index,
			renderItem: (_item, index) => sessionRow({ state, index }, dispatch),
			layout,
			scroller: true,
		})}
	</div>`;
}

function itemsOf({ text, rows, hits }: SessionsState): (SessionSummary | SessionHit | undefined)[] {
	// The virtualizer reads them only.
	return (text === "" ? rows : hits) as (SessionSummary | SessionHit | undefined)[];
}
