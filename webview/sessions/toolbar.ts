import { html, nothing, type TemplateResult } from "lit";
import type { SessionFilters, ViewEnvironment } from "../../src/protocol/webview.ts";
import type { Dispatch } from "../model/action.ts";
import type { SessionsState } from "../model/state.ts";
import { chooser, icon, searchField } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { chooseFilters, ENGINES, isNarrowed, search, toggleFilters } from "./sessionActions.ts";

export function sessionsToolbar(
	{ text, filters, showsFilters }: SessionsState,
	environment: ViewEnvironment | undefined,
	dispatch: Dispatch,
): TemplateResult {
	return html`<div class="toolbar">
			${searchField({
				id: "search",
				label: l10n.t("Search sessions"),
				text,
				searched: (wanted) => dispatch(search(wanted)),
			})}
			<button
				type="button"
				class="action ${isNarrowed(filters) ? "on" : ""}"
				title=${l10n.t("Filter")}
				aria-label=${isNarrowed(filters) ? l10n.t("Filter (active)") : l10n.t("Filter")}
				aria-expanded=${showsFilters ? "true" : "false"}
				aria-controls="filters"
				@click=${() => dispatch(toggleFilters)}
			>
				${icon(isNarrowed(filters) ? "filter-filled" : "filter")}
			</button>
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
	const choose = (part: Partial<SessionFilters>) => dispatch(chooseFilters({ ...filters, ...part }));
	const { engine, thisWorkspace, days, archived } = filters;
	return html`${chooser<SessionFilters["engine"]>({
		id: "filter-engine",
		label: l10n.t("Engine"),
		value: engine,
		choices: ENGINE_CHOICES,
		chosen: (chosen) => choose({ engine: chosen }),
	})}
	${
		hasWorkspace
			? chooser<boolean>({
					id: "filter-workspace",
					label: l10n.t("Workspace"),
					value: thisWorkspace,
					choices: PLACE_CHOICES,
					chosen: (chosen) => choose({ thisWorkspace: chosen }),
				})
			: nothing
	}
	${chooser<SessionFilters["days"]>({
		id: "filter-date",
		label: l10n.t("Date"),
		value: days,
		choices: DAY_CHOICES,
		chosen: (chosen) => choose({ days: chosen }),
	})}
	${chooser<boolean>({
		id: "filter-archived",
		label: l10n.t("Archive"),
		value: archived,
		choices: ARCHIVE_CHOICES,
		chosen: (chosen) => choose({ archived: chosen }),
	})}`;
}
