import type { PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import type { RuleDraft, ViewRequest } from "../../src/protocol/webview.ts";
import {
	type Action,
	AUDIT_PAGE,
	type AuditState,
	type PermissionsState,
	type Step,
	stay,
	type Update,
	type ViewState,
	withPart,
} from "../model/state.ts";
import { counted, l10n } from "../parts/l10n.ts";

export function previewRule({ rule }: RuleUse): Action {
	const draft = draftFrom(rule);
	return (state) =>
		stay(withPart(state, "permissions", { preview: { rule: draft, of: rule.id } }), {
			kind: "previewRule",
			rule: draft,
		});
}

export const closePreview: Action = (state) => stay(withPart(state, "permissions", { preview: undefined }));

export function filterAudit(filter: Partial<AuditState>): Action {
	return (state) => {
		const next = withPart(state, "permissions", { audit: { ...state.permissions.audit, ...filter } });
		return stay(next, listDecisions(next.permissions));
	};
}

export const showMoreOfAudit: Action = (state) =>
	filterAudit({ limit: state.permissions.audit.limit + AUDIT_PAGE })(state);

export const refreshPermissions: Action = (state) =>
	stay(state, { kind: "listRules" }, listDecisions(state.permissions));

export function hearDecisions(state: ViewState, { text, limit, decisions }: Update<"decisions">): Step {
	const { audit } = state.permissions;
	const isWanted = text === audit.text && limit === audit.limit;
	return stay(isWanted ? withPart(state, "permissions", { audit: { ...audit, decisions } }) : state);
}

export function hearPreview(state: ViewState, { rule, decisions }: Update<"preview">): Step {
	const { preview } = state.permissions;
	if (!preview || !sameRule(preview.rule, rule)) return stay(state);
	const shown = withPart(state, "permissions", { preview: { ...preview, decisions } });
	return stay({ ...shown, announcement: changedText(decisions.length) });
}

const changedText = counted(
	l10n.t("1 decision would have been different"),
	l10n.t("{0} decisions would have been different"),
);

export function draftFrom(known: PermissionRule): RuleDraft {
	const { id: _id, origin: _origin, createdAt: _createdAt, scope, ...rule } = known;
	// A decision for one call cannot be added again as a rule; it is shown as a rule of its session.
	return { ...rule, scope: scope === "once" ? "session" : scope };
}

function listDecisions({ audit: { text, limit } }: PermissionsState): ViewRequest {
	return { kind: "listDecisions", text, limit };
}

function sameRule(a: RuleDraft, b: RuleDraft): boolean {
	return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
