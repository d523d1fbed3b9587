import type { PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import type { RuleDraft, ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import {
	type Action,
	AUDIT_PAGE,
	type AuditState,
	type PermissionsState,
	stay,
	type ViewState,
} from "../model/state.ts";
import { counted, l10n } from "../parts/l10n.ts";

export function previewRule({ rule }: RuleUse): Action {
	const draft = draftFrom(rule);
	return (state) =>
		stay(withPermissions(state, { preview: { rule: draft, of: rule.id } }), {
			kind: "previewRule",
			rule: draft,
		});
}

export const closePreview: Action = (state) => stay(withPermissions(state, { preview: undefined }));

export function filterAudit(filter: Partial<AuditState>): Action {
	return (state) => {
		const next = withPermissions(state, { audit: { ...state.permissions.audit, ...filter } });
		return stay(next, listDecisions(next.permissions));
	};
}

export function searchAudit(text: string): Action {
	return filterAudit({ text, limit: AUDIT_PAGE });
}

export const showMoreOfAudit: Action = (state) =>
	filterAudit({ limit: state.permissions.audit.limit + AUDIT_PAGE })(state);

export const refreshPermissions: Action = (state) =>
	stay(state, { kind: "listRules" }, listDecisions(state.permissions));

/** Handles an update of the host about permissions. Drops answers to outdated requests. */
export function hearPermissions(
	state: ViewState,
	update: Extract<ViewUpdate, { readonly kind: "rules" | "decisions" | "preview" }>,
): ViewState {
	const { audit, preview } = state.permissions;
	if (update.kind === "rules") return withPermissions(state, { rules: update.rules });
	const { decisions } = update;
	if (update.kind === "decisions") {
		if (update.text !== audit.text || update.limit !== audit.limit) return state;
		return withPermissions(state, { audit: { ...audit, decisions } });
	}
	if (!preview || !sameRule(preview.rule, update.rule)) return state;
	return {
		...withPermissions(state, { preview: { ...preview, decisions } }),
		announcement: changedText(decisions.length),
	};
}

const changedText = counted(
	l10n.t("1 decision would have been different"),
	l10n.t("{0} decisions would have been different"),
);

export function draftFrom(known: PermissionRule): RuleDraft {
	const { id: _id, origin: _origin, createdAt: _createdAt, scope, ...rule } = known;
	// A decision for one call is no rule to be added again; it is shown as one of its session.
	return { ...rule, scope: scope === "once" ? "session" : scope };
}

function withPermissions(state: ViewState, part: Partial<PermissionsState>): ViewState {
	return { ...state, permissions: { ...state.permissions, ...part } };
}

function listDecisions({ audit: { text, limit } }: PermissionsState): ViewRequest {
	return { kind: "listDecisions", text, limit };
}

function sameRule(a: RuleDraft, b: RuleDraft): boolean {
	return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
