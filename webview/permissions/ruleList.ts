import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import type { Dispatch } from "../model/event.ts";
import type { PermissionsState } from "../model/state.ts";
import { action, emptyNote, icon, loadingNote } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { exactTime, timeAgo } from "../parts/text.ts";
import { previewBox } from "./previewBox.ts";
import { ARGUMENT_NAMES, describeScope, EFFECTS } from "./ruleText.ts";

/** The rules, those of the settings first. */
export function ruleList(
	{ rules, preview }: PermissionsState,
	now: number,
	dispatch: Dispatch,
): TemplateResult {
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
			${rule.origin === "settings" ? managed(dispatch) : revoke(rule, dispatch)}
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

function managed(dispatch: Dispatch): TemplateResult {
	return action({
		icon: "lock",
		label: l10n.t("Managed in Settings (Select to Open)"),
		run: () => dispatch({ kind: "wanted", request: { kind: "openSettings" } }),
	});
}

function revoke({ id }: PermissionRule, dispatch: Dispatch): TemplateResult {
	return action({
		icon: "trash",
		label: l10n.t("Revoke"),
		run: () => dispatch({ kind: "wanted", request: { kind: "revokeRule", rule: id } }),
	});
}
