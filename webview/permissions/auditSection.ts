import { html, nothing, type TemplateResult } from "lit";
import type { Dispatch } from "../model/event.ts";
import { AUDIT_PAGE, type AuditState } from "../model/state.ts";
import { action, chooser, emptyNote, loadingNote } from "../parts/elements.ts";
import { searchField } from "../parts/searchField.ts";
import { decisionItem } from "./decisionItem.ts";
import { section } from "./section.ts";

const EFFECT_CHOICES = [
	{ value: "", label: "All decisions" },
	{ value: "allow", label: "Allowed" },
	{ value: "deny", label: "Denied" },
];

/** What was decided, newest first. */
export function auditSection(audit: AuditState, now: number, dispatch: Dispatch): TemplateResult {
	const exporting = action({
		icon: "export",
		label: "Export rules and decisions as JSON",
		run: () => dispatch({ kind: "wanted", request: { kind: "exportPermissions" } }),
	});
	return section(
		{ title: "Audit Log", actions: exporting },
		html`<div class="toolbar wrap">
				${searchField({
					id: "audit-search",
					label: "Filter decisions",
					text: audit.text,
					searched: (text) => dispatch({ kind: "auditFiltered", filter: { text, limit: AUDIT_PAGE } }),
				})}
				${chooser({
					id: "audit-effect",
					label: "Decision",
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
			? emptyNote("No decisions. Every call that is allowed or denied is written down here.")
			: html`<ul class="items">
					${shown.map((decision) => decisionItem(decision, now))}
				</ul>`
	}
	${
		decisions.length < limit
			? nothing
			: html`<div class="more-bar">
					<vscode-button secondary @click=${more}>Show More</vscode-button>
				</div>`
	}`;
}

function effectOf(value: string): AuditState["effect"] {
	return value === "allow" || value === "deny" ? value : undefined;
}
