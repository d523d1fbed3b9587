import { html, nothing, type TemplateResult } from "lit";
import type { ViewPart } from "../src/protocol/webview.ts";
import { memoryPane } from "./memory/memoryPane.ts";
import type { Dispatch } from "./model/event.ts";
import type { Undo, ViewState } from "./model/state.ts";
import { action, icon } from "./parts/elements.ts";
import { l10n } from "./parts/l10n.ts";
import { permissionsPane } from "./permissions/permissionsPane.ts";
import { sessionsPane } from "./sessions/sessionsPane.ts";

const TABS: readonly { readonly part: ViewPart; readonly title: string }[] = [
	{ part: "sessions", title: l10n.t("Sessions") },
	{ part: "memory", title: l10n.t("Memory") },
	{ part: "permissions", title: l10n.t("Permissions") },
];

export function page(state: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<main class="page">
		<h1 class="spoken">${TABS.find(({ part }) => part === state.tab)?.title}</h1>
		${tabs(state, dispatch)}
		<div class="main" id="panel" role="tabpanel" aria-labelledby="tab-${state.tab}">${pane(state, dispatch)}</div>
		${bars(state, dispatch)}
		<div class="spoken" role="status" aria-live="polite">${state.announcement}</div>
	</main>`;
}

function pane(state: ViewState, dispatch: Dispatch): TemplateResult {
	switch (state.tab) {
		case "sessions":
			return sessionsPane(state, dispatch);
		case "memory":
			return memoryPane(state, dispatch);
		case "permissions":
			return permissionsPane(state, dispatch);
	}
}

function tabs({ tab }: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<div class="tabs" role="tablist" @keydown=${onTabKey}>
		${TABS.map(
			({ part, title }) =>
				html`<button
					type="button"
					id="tab-${part}"
					role="tab"
					aria-selected=${part === tab ? "true" : "false"}
					aria-controls="panel"
					tabindex=${part === tab ? 0 : -1}
					@click=${() => dispatch({ kind: "tabChosen", tab: part })}
				>
					${title}
				</button>`,
		)}
	</div>`;
}

/** The arrows choose a tab at once: its content is on this machine. */
function onTabKey(event: KeyboardEvent): void {
	const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>("[role=tab]")];
	const at = all.indexOf(event.target as HTMLElement);
	const targets: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
	const target = targets[event.key];
	if (target === undefined) return;
	event.preventDefault();
	const tab = all.at(target % all.length);
	tab?.click();
	tab?.focus();
}

/** What was done on a tab is taken back there. */
function tabOf({ request }: Undo): ViewPart {
	if (request.kind === "rememberFact") return "memory";
	return request.kind === "addRule" ? "permissions" : "sessions";
}

function bars({ undo, problem, tab }: ViewState, dispatch: Dispatch): TemplateResult {
	return html`<div role="alert">
			${
				problem
					? html`<div class="bar error">
							${icon("error")}<span class="grow">${problem.message}</span>
							<vscode-button secondary @click=${() => dispatch({ kind: "retried" })}>${l10n.t("Retry")}</vscode-button>
							${action({ icon: "close", label: l10n.t("Dismiss"), run: () => dispatch({ kind: "problemLeft" }) })}
						</div>`
					: nothing
			}
		</div>
		${
			undo && tabOf(undo) === tab
				? html`<div class="bar">
						<span class="grow ellipsis" title=${undo.label}>${undo.label}</span>
						<vscode-button id="undo" secondary title=${l10n.t("Undo (Ctrl+Z or Cmd+Z)")} @click=${() => dispatch({ kind: "undone" })}
							>${l10n.t("Undo")}</vscode-button
						>
						${action({ icon: "close", label: l10n.t("Dismiss"), run: () => dispatch({ kind: "undoLeft" }) })}
					</div>`
				: nothing
		}`;
}
