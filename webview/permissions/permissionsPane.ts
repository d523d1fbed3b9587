import { html, nothing, type TemplateResult } from "lit";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { Dispatch } from "../model/event.ts";
import type { ViewState } from "../model/state.ts";
import { action, emptyNote, icon } from "../parts/elements.ts";
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
		${section({ title: "Rules", count: permissions.rules?.length, actions: ruleActions(dispatch) }, rules(state, dispatch))}
		${auditSection(permissions.audit, now, dispatch)}
		${section({ title: "Resource Policies", count: environment?.policies.length }, policies(environment?.policies ?? []))}
	</div>`;
}

function ruleActions(dispatch: Dispatch): TemplateResult {
	return action({
		id: "add-rule",
		icon: "add",
		label: "Add a rule",
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
		return emptyNote("No policy hides anything. Policies are written in .copilot-ld/config.yaml.");
	return html`<ul class="items">
		${all.map(
			(policy) =>
				html`<li class="item">
					${icon("eye-closed")}
					<div class="lines">
						<span class="words">Hides ${hiddenBy(policy)}</span>
						<span class="dim">from ${doorsOf(policy)} · ${policy.source}</span>
					</div>
				</li>`,
		)}
	</ul>`;
}

function hiddenBy({ paths, types, properties }: SourcedPolicy): string {
	const parts = [
		properties && `the properties ${properties.join(", ")}`,
		types && `${properties ? "of " : ""}resources that are ${types.join(", ")}`,
		paths && (types || properties ? `in ${paths.join(", ")}` : paths.join(", ")),
	];
	return parts.filter(Boolean).join(" ") || "everything";
}

function doorsOf({ doors }: SourcedPolicy): string {
	return doors ? doors.map((door) => DOOR_NAMES[door]).join(", ") : "everyone";
}
