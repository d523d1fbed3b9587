import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import { type Dispatch, wanted } from "../model/event.ts";
import { AUDIT_PAGE, type AuditState, type PermissionsState, type ViewState } from "../model/state.ts";
import { action, chooser, emptyNote, icon, loadingNote, searchField } from "../parts/elements.ts";
import { exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import { ruleFormView } from "./ruleFormView.ts";
import { ARGUMENT_NAMES, DOOR_NAMES, decisionItem, describeScope, EFFECTS, previewBox } from "./ruleText.ts";

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
						<span class="dim">${l10n.t("from {0}", policy.doors?.map((door) => DOOR_NAMES[door]).join(", ") ?? l10n.t("everyone"))} · ${policy.source}</span>
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

const EFFECT_CHOICES = [
	{ value: "", label: l10n.t("All decisions") },
	{ value: "allow", label: l10n.t("Allowed") },
	{ value: "deny", label: l10n.t("Denied") },
];

function auditSection(audit: AuditState, now: number, dispatch: Dispatch): TemplateResult {
	const exporting = action({
		icon: "export",
		label: l10n.t("Export Rules and Decisions as JSON"),
		run: () => dispatch(wanted({ kind: "exportPermissions" })),
	});
	return section(
		{ title: l10n.t("Audit Log"), actions: exporting },
		html`<div class="toolbar wrap">
				${searchField({
					id: "audit-search",
					label: l10n.t("Filter decisions"),
					text: audit.text,
					searched: (text) => dispatch({ kind: "auditFiltered", filter: { text, limit: AUDIT_PAGE } }),
				})}
				${chooser({
					id: "audit-effect",
					label: l10n.t("Decision"),
					value: audit.effect ?? "",
					choices: EFFECT_CHOICES,
					chosen: (value) => {
						const effect = value === "allow" || value === "deny" ? value : undefined;
						dispatch({ kind: "auditFiltered", filter: { effect } });
					},
				})}
			</div>
			${decisionList(audit, now, dispatch)}`,
	);
}

function decisionList(
	{ decisions, effect, limit }: AuditState,
	now: number,
	dispatch: Dispatch,
): TemplateResult {
	if (!decisions) return loadingNote();
	const shown = decisions.filter((decision) => effect === undefined || decision.effect === effect);
	const more = () => dispatch({ kind: "auditFiltered", filter: { limit: limit + AUDIT_PAGE } });
	return html`${
		shown.length === 0
			? emptyNote(l10n.t("No decisions. Every call that is allowed or denied is logged here."))
			: html`<ul class="items">
					${shown.map((decision) => decisionItem(decision, now))}
				</ul>`
	}
	${
		decisions.length < limit
			? nothing
			: html`<div class="more-bar">
					<vscode-button secondary @click=${more}>${l10n.t("Show More")}</vscode-button>
				</div>`
	}`;
}

function ruleList({ rules, preview }: PermissionsState, now: number, dispatch: Dispatch): TemplateResult {
	if (!rules) return loadingNote();
	if (rules.length === 0)
		return emptyNote(
			l10n.t(
				"No rules. Tools that only read your knowledge are allowed; for anything else you are asked each time.",
			),
		);
	return html`<ul class="items">
		${repeat(
			rules,
			({ rule }) => rule.id,
			(use) => html`${ruleItem(use, now, dispatch)}
			${preview?.of === use.rule.id ? html`<li>${previewBox(preview, now, dispatch)}</li>` : nothing}`,
		)}
	</ul>`;
}

function ruleItem(use: RuleUse, now: number, dispatch: Dispatch): TemplateResult {
	const { rule } = use;
	const { label, icon: name } = EFFECTS[rule.effect];
	return html`<li class="item">
		${icon(name)}
		<div class="lines">
			<span class="words"><strong>${label}</strong> ${about(rule)}</span>
			<span class="dim">${describeScope(rule)}</span>
			<span class="dim" title=${exactTime(rule.createdAt)}>${history(use, now)}</span>
		</div>
		<div class="actions">
			${action({
				icon: "history",
				label: l10n.t("What would it have changed in the last 30 days?"),
				run: () => dispatch({ kind: "rulePreviewed", use }),
			})}
			${
				rule.origin === "settings"
					? action({
							icon: "lock",
							label: l10n.t("Managed in Settings (Select to Open)"),
							run: () => dispatch(wanted({ kind: "openSettings" })),
						})
					: action({
							icon: "trash",
							label: l10n.t("Revoke"),
							run: () => dispatch(wanted({ kind: "revokeRule", rule: rule.id })),
						})
			}
		</div>
	</li>`;
}

function about({ tool, argument }: PermissionRule): TemplateResult {
	if (!tool && !argument) return html`${l10n.t("every tool")}`;
	return html`${tool ? html`<code>${tool}</code>` : nothing}
	${argument ? html`${ARGUMENT_NAMES[argument.kind]} <code>${argument.value}</code>` : nothing}`;
}

function history({ rule, lastUsedAt }: RuleUse, now: number): string {
	const origin =
		rule.origin === "settings"
			? l10n.t("from the settings")
			: l10n.t("added {0}", timeAgo(rule.createdAt, now));
	return `${origin} · ${lastUsedAt === undefined ? l10n.t("never used") : l10n.t("last used {0}", timeAgo(lastUsedAt, now))}`;
}

interface SectionHead {
	readonly title: string;
	readonly count?: number | undefined;
	readonly actions?: TemplateResult;
}

function section({ title, count, actions }: SectionHead, content: TemplateResult): TemplateResult {
	return html`<section class="section" aria-label=${title}>
		${actions ? html`<div class="section-actions">${actions}</div>` : nothing}
		<details open>
			<summary>
				${icon("chevron-right")}
				<h2>${title}</h2>
				${count === undefined ? nothing : html`<span class="dim">${count}</span>`}
			</summary>
			${content}
		</details>
	</section>`;
}
