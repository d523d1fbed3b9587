import { html, nothing, type TemplateResult } from "lit";
import type { ViewPart } from "../src/protocol/webview.ts";
import { memoryPane } from "./memory/memoryPane.ts";
import type { Dispatch, ViewState } from "./model/state.ts";
import { chooseTab, dropProblem, dropUndo, retry, undo } from "./pageActions.ts";
import { action, button, focusByKey, icon } from "./parts/elements.ts";
import { l10n } from "./parts/l10n.ts";
import { permissionsPane } from "./permissions/permissionsPane.ts";
import { sessionsPane } from "./sessions/sessionsPane.ts";

const TABS: Record<ViewPart, { readonly title: string; readonly pane: typeof sessionsPane }> = {
	sessions: { title: l10n.t("Sessions"), pane: sessionsPane },
	memory: { title: l10n.t("Memory"), pane: memoryPane },
	permissions: { title: l10n.t("Permissions"), pane: permissionsPane },
};
const PARTS = Object.keys(TABS) as ViewPart[];

export function page(state: ViewState, dispatch: Dispatch): TemplateResult {
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
