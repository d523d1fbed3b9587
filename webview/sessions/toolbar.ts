import { html, nothing, type TemplateResult } from "lit";
import type { SessionFilters, ViewEnvironment } from "../../src/protocol/webview.ts";
import type { Dispatch } from "../model/event.ts";
import type { SessionsState } from "../model/state.ts";
import { chooser, icon, searchField } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { ENGINES, isNarrowed } from "./reduceSessions.ts";

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
				searched: (wanted) => dispatch({ kind: "searched", text: wanted }),
			})}
			<button
				type="button"
				class="action ${isNarrowed(filters) ? "on" : ""}"
				title=${l10n.t("Filter")}
				aria-label=${isNarrowed(filters) ? l10n.t("Filter (active)") : l10n.t("Filter")}
				aria-expanded=${showsFilters ? "true" : "false"}
				aria-controls="filters"
				@click=${() => dispatch({ kind: "filtersToggled" })}
			>
				${icon(isNarrowed(filters) ? "filter-filled" : "filter")}
			</button>
		</div>
		<div id="filters" class="filters" ?hidden=${!showsFilters}>
			${showsFilters ? choosers(filters, environment, dispatch) : nothing}
		</div>`;
}

const ENGINE_CHOICES = [
	{ value: "", label: l10n.t("All engines") },
	{ value: "model", label: ENGINES.model.label },
	{ value: "cli", label: ENGINES.cli.label },
	{ value: "mcp", label: ENGINES.mcp.label },
];
const PLACE_CHOICES = [
	{ value: "", label: l10n.t("All workspaces") },
	{ value: "this", label: l10n.t("This workspace") },
];
const DAY_CHOICES = [
	{ value: "", label: l10n.t("Any time") },
	{ value: "1", label: l10n.t("Last 24 hours") },
	{ value: "7", label: l10n.t("Last 7 days") },
	{ value: "30", label: l10n.t("Last 30 days") },
];
const ARCHIVE_CHOICES = [
	{ value: "", label: l10n.t("Not archived") },
	{ value: "archived", label: l10n.t("Archived") },
];

const CHOOSERS = [
	{ id: "filter-engine", field: "engine", label: l10n.t("Engine"), choices: ENGINE_CHOICES },
	{ id: "filter-workspace", field: "place", label: l10n.t("Workspace"), choices: PLACE_CHOICES },
	{ id: "filter-date", field: "days", label: l10n.t("Date"), choices: DAY_CHOICES },
	{ id: "filter-archived", field: "archive", label: l10n.t("Archive"), choices: ARCHIVE_CHOICES },
] as const;

function choosers(
	filters: SessionFilters,
	environment: ViewEnvironment | undefined,
	dispatch: Dispatch,
): TemplateResult {
	const fields = fieldsOf(filters);
	const choose = (part: Partial<typeof fields>) =>
		dispatch({ kind: "filtersChosen", filters: filtersFrom({ ...fields, ...part }) });
	const shown = CHOOSERS.filter(({ field }) => field !== "place" || environment?.workspace !== "");
	return html`${shown.map(({ id, field, label, choices }) =>
		chooser({ id, label, value: fields[field], choices, chosen: (value) => choose({ [field]: value }) }),
	)}`;
}

function fieldsOf({ engine, thisWorkspace, days, archived }: SessionFilters) {
	return {
		engine: `${engine ?? ""}`,
		place: thisWorkspace ? "this" : "",
		days: `${days ?? ""}`,
		archive: archived ? "archived" : "",
	};
}

function filtersFrom({ engine, place, days, archive }: ReturnType<typeof fieldsOf>): SessionFilters {
	return {
		...((engine === "model" || engine === "cli" || engine === "mcp") && { engine }),
		thisWorkspace: place === "this",
		...(days !== "" && { days: Number(days) }),
		archived: archive === "archived",
	};
}
