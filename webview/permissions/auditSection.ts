import { html, nothing, type TemplateResult } from "lit";
import type { Dispatch } from "../model/event.ts";
import { AUDIT_PAGE, type AuditState } from "../model/state.ts";
import { action, chooser, emptyNote, loadingNote } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { searchField } from "../parts/searchField.ts";
import { decisionItem } from "./decisionItem.ts";
import { section } from "./section.ts";

const EFFECT_CHOICES = [
	{ value: "", label: l10n.t("All decisions") },
	{ value: "allow", label: l10n.t("Allowed") },
	{ value: "deny", label: l10n.t("Denied") },
];

/** What was decided, newest first. */
export function auditSection(audit: AuditState, now: number, dispatch: Dispatch): TemplateResult {
	const exporting = action({
		icon: "export",
		label: l10n.t("Export Rules and Decisions as JSON"),
		run: () => dispatch({ kind: "wanted", request: { kind: "exportPermissions" } }),
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
					chosen: (value) => dispatch({ kind: "auditFiltered", filter: { effect: effectOf(value) } }),
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

function effectOf(value: string): AuditState["effect"] {
	return value === "allow" || value === "deny" ? value : undefined;
}
