import type { ArgumentKind, PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import type { RuleDraft, ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import {
	type Action,
	AUDIT_PAGE,
	type AuditState,
	EMPTY_FORM,
	focusing,
	type PermissionsState,
	type RuleForm,
	type Step,
	stay,
	type ViewState,
} from "../model/state.ts";
import { counted, l10n } from "../parts/l10n.ts";

export type FormProblems = Partial<Record<"tool" | "argument", string>>;

/** The rule that the fields make; check `problemsOf` first. */
export function draftOf({ effect, scope, door, tool, argumentKind: kind, argument }: RuleForm): RuleDraft {
	return {
		effect,
		scope,
		...(door && { door }),
		...(tool.trim() && { tool: tool.trim() }),
		...(kind && { argument: { kind, value: argument.trim() } }),
	};
}

export function problemsOf(form: RuleForm): FormProblems {
	const { tool, argument } = draftOf(form);
	const mistakeInTool = toolProblem(tool, form.effect === "allow" && !argument);
	const mistakeInArgument = argument && argumentProblem(argument);
	return {
		...(mistakeInTool && { tool: mistakeInTool }),
		...(mistakeInArgument && { argument: mistakeInArgument }),
	};
}

/** A rule that names nothing speaks of every call there is. */
function toolProblem(tool: string | undefined, wouldAllowAll: boolean): string | undefined {
	const all = l10n.t("Enter a tool or an argument: this rule would allow everything.");
	if (!tool) return wouldAllowAll ? all : undefined;
	if (/^[\w*./-]+$/.test(tool)) return undefined;
	return l10n.t("Use letters, digits, “-”, and “_” for the name of a tool; “*” stands for any of them.");
}

const HOST = /^[\w*-]+(\.[\w*-]+)*(:\d+)?$/;

const MISSING: Readonly<Record<ArgumentKind, string>> = {
	command: l10n.t("Enter a command, or select “Any argument”."),
	path: l10n.t("Enter a path, or select “Any argument”."),
	host: l10n.t("Enter a host, or select “Any argument”."),
};

function argumentProblem({ kind, value }: NonNullable<RuleDraft["argument"]>): string | undefined {
	if (value === "") return MISSING[kind];
	if (kind === "path" && value.includes("\\")) return l10n.t("Use forward slashes in paths.");
	if (kind === "path" && value.split("/").includes(".."))
		return l10n.t("Enter the path without “..”, for example src/** or **/*.pem.");
	if (kind === "host" && !HOST.test(value))
		return l10n.t("Enter a host without “https://” and without a path, for example *.example.org.");
	return undefined;
}

export const openForm: Action = (state) =>
	focusing("rule-effect", withPermissions(state, { form: EMPTY_FORM, preview: undefined }));

export const closeForm: Action = (state) =>
	focusing("add-rule", withPermissions(state, { form: undefined, preview: undefined }));

/** What the fields say now makes a former preview untrue. */
export function fillForm(fields: Partial<RuleForm>): Action {
	return (state) => {
		const { form } = state.permissions;
		return stay(form ? withPermissions(state, { form: { ...form, ...fields }, preview: undefined }) : state);
	};
}

export const sendForm: Action = (state) => withRule(state, (rule) => stay(state, { kind: "addRule", rule }));

export const previewForm: Action = (state) => withRule(state, (rule) => askPreview(state, rule));

function withRule(state: ViewState, go: (rule: RuleDraft) => Step): Step {
	const { form } = state.permissions;
	if (!form) return stay(state);
	const problems = problemsOf(form);
	if (Object.keys(problems).length === 0) return go(draftOf(form));
	const announcement = Object.values(problems).join(" ");
	const focus = problems.tool ? "rule-tool" : "rule-argument";
	return focusing(focus, { ...withPermissions(state, { form: { ...form, tried: true } }), announcement });
}

export function previewRule({ rule }: RuleUse): Action {
	return (state) => askPreview(state, draftFrom(rule), rule.id);
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

export function withPermissions(state: ViewState, part: Partial<PermissionsState>): ViewState {
	return { ...state, permissions: { ...state.permissions, ...part } };
}

function askPreview(state: ViewState, rule: RuleDraft, of?: string): Step {
	return stay(withPermissions(state, { preview: { rule, of } }), { kind: "previewRule", rule });
}

function listDecisions({ audit: { text, limit } }: PermissionsState): ViewRequest {
	return { kind: "listDecisions", text, limit };
}

function sameRule(a: RuleDraft, b: RuleDraft): boolean {
	return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
