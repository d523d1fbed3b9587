import { html, nothing, type TemplateResult } from "lit";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { Dispatch } from "../model/event.ts";
import type { ViewState } from "../model/state.ts";
import { action, emptyNote, icon } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { auditSection } from "./auditSection.ts";
import { previewBox } from "./previewBox.ts";
import { ruleFormView } from "./ruleFormView.ts";
import { ruleList } from "./ruleList.ts";
import { DOOR_NAMES } from "./ruleText.ts";
import { section } from "./section.ts";

/** The tab "Permissions": the rules, what was decided, and what the data's own policies hide. */
export function permissionsPane(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { environment, permissions, now } = state;
	return html`<div class="pane scroll sections" tabindex="-1">
		${section({ title: l10n.t("Rules"), count: permissions.rules?.length, actions: ruleActions(dispatch) }, rules(state, dispatch))}
		${auditSection(permissions.audit, now, dispatch)}
		${section({ title: l10n.t("Resource Policies"), count: environment?.policies.length }, policies(environment?.policies ?? []))}
	</div>`;
}

function ruleActions(dispatch: Dispatch): TemplateResult {
	return action({
		id: "add-rule",
		icon: "add",
		label: l10n.t("Add Rule"),
		run: () => dispatch({ kind: "formOpened" }),
	});
}

function rules({ permissions, environment, now }: ViewState, dispatch: Dispatch): TemplateResult {
	const { form, preview } = permissions;
	const hasWorkspace = environment?.workspace !== "";
	return html`${form ? ruleFormView(form, hasWorkspace, dispatch) : nothing}
	${preview && preview.of === undefined ? previewBox(preview, now, dispatch) : nothing}
	${ruleList(permissions, now, dispatch)}`;
}

function policies(all: readonly SourcedPolicy[]): TemplateResult {
	if (all.length === 0)
		return emptyNote(l10n.t("No policy hides anything. Policies are written in .copilot-ld/config.yaml."));
	return html`<ul class="items">
		${all.map(
			(policy) =>
				html`<li class="item">
					${icon("eye-closed")}
					<div class="lines">
						<span class="words">${l10n.t("Hides {0}", hiddenBy(policy))}</span>
						<span class="dim">${l10n.t("from {0}", doorsOf(policy))} · ${policy.source}</span>
					</div>
				</li>`,
		)}
	</ul>`;
}

function hiddenBy({ paths, types, properties }: SourcedPolicy): string {
	const parts = [
		properties && l10n.t("the properties {0}", properties.join(", ")),
		types &&
			(properties
				? l10n.t("of resources of type {0}", types.join(", "))
				: l10n.t("resources of type {0}", types.join(", "))),
		paths && (types || properties ? l10n.t("in {0}", paths.join(", ")) : paths.join(", ")),
	];
	return parts.filter(Boolean).join(" ") || l10n.t("everything");
}

function doorsOf({ doors }: SourcedPolicy): string {
	return doors ? doors.map((door) => DOOR_NAMES[door]).join(", ") : l10n.t("everyone");
}
