import { type ArgumentKind, DOORS, type PermissionRule } from "../../src/core/permission/permission.ts";
import type { RuleDraft, ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { focusing, type PermissionsEvent, type Step, stay } from "../model/event.ts";
import { EMPTY_FORM, type PermissionsState, type RuleForm, type ViewState } from "../model/state.ts";
import { l10n, numeral } from "../parts/l10n.ts";

const ARGUMENT_KINDS: readonly ArgumentKind[] = ["command", "path", "host"];

/** Mistakes by the field to correct. */
export type FormProblems = Partial<Record<"tool" | "argument", string>>;

/** The rule that the fields make; check `problemsOf` first. */
export function draftOf({ effect, scope, door, tool, argumentKind, argument }: RuleForm): RuleDraft {
	const named = DOORS.find((one) => one === door);
	const kind = ARGUMENT_KINDS.find((one) => one === argumentKind);
	return {
		effect,
		scope,
		...(named && { door: named }),
		...(tool.trim() && { tool: tool.trim() }),
		...(kind && { argument: { kind, value: argument.trim() } }),
	};
}

export function problemsOf(form: RuleForm): FormProblems {
	const draft = draftOf(form);
	const namesNothing = !draft.tool && !draft.argument;
	return {
		// A rule that names nothing speaks of every call there is.
		...(namesNothing &&
			form.effect === "allow" && {
				tool: l10n.t("Enter a tool or an argument: this rule would allow everything."),
			}),
		...(draft.tool &&
			!/^[\w*./-]+$/.test(draft.tool) && {
				tool: l10n.t("Use letters, digits, “-”, and “_” for the name of a tool; “*” stands for any of them."),
			}),
		...argumentProblem(draft.argument),
	};
}

const HOST = /^[\w*-]+(\.[\w*-]+)*(:\d+)?$/;

const MISSING: Readonly<Record<ArgumentKind, string>> = {
	command: l10n.t("Enter a command, or select “Any argument”."),
	path: l10n.t("Enter a path, or select “Any argument”."),
	host: l10n.t("Enter a host, or select “Any argument”."),
};

function argumentProblem(argument: RuleDraft["argument"]): FormProblems {
	if (!argument) return {};
	const { kind, value } = argument;
	if (value === "") return { argument: MISSING[kind] };
	if (kind === "path" && value.includes("\\")) return { argument: l10n.t("Use forward slashes in paths.") };
	if (kind === "path" && value.split("/").includes(".."))
		return { argument: l10n.t("Enter the path without “..”, for example src/** or **/*.pem.") };
	if (kind === "host" && !HOST.test(value))
		return {
			argument: l10n.t("Enter a host without “https://” and without a path, for example *.example.org."),
		};
	return {};
}

export function reducePermissions(state: ViewState, event: PermissionsEvent): Step {
	const { form } = state.permissions;
	switch (event.kind) {
		case "formOpened":
			return focusing("rule-effect", withPermissions(state, { form: EMPTY_FORM, preview: undefined }));
		case "formClosed":
			return focusing("add-rule", withPermissions(state, { form: undefined, preview: undefined }));
		case "formFilled":
			// What the fields say now makes a former preview untrue.
			return stay(
				form ? withPermissions(state, { form: { ...form, ...event.fields }, preview: undefined }) : state,
			);
		case "formSent":
		case "formPreviewed":
			return form ? sendForm(state, form, event.kind === "formSent") : stay(state);
		case "rulePreviewed":
			return askPreview(state, draftFrom(event.use.rule), event.use.rule.id);
		case "previewClosed":
			return stay(withPermissions(state, { preview: undefined }));
		case "auditFiltered": {
			const next = withPermissions(state, { audit: { ...state.permissions.audit, ...event.filter } });
			return stay(next, listDecisions(next.permissions));
		}
	}
}

export function refreshPermissions(state: ViewState): Step {
	return stay(state, { kind: "listRules" }, listDecisions(state.permissions));
}

/** Handles an update of the host about permissions. Drops answers to outdated requests. */
export function hearPermissions(
	state: ViewState,
	update: Extract<ViewUpdate, { readonly kind: "rules" | "decisions" | "preview" }>,
): Step {
	const { audit, preview } = state.permissions;
	switch (update.kind) {
		case "rules":
			return stay(withPermissions(state, { rules: update.rules }));
		case "decisions":
			return stay(
				update.text === audit.text && update.limit === audit.limit
					? withPermissions(state, { audit: { ...audit, decisions: update.decisions } })
					: state,
			);
		case "preview":
			return stay(
				preview && sameRule(preview.rule, update.rule)
					? {
							...withPermissions(state, { preview: { ...preview, decisions: update.decisions } }),
							announcement: changedText(update.decisions.length),
						}
					: state,
			);
	}
}

function changedText(decisions: number): string {
	return decisions === 1
		? l10n.t("1 decision would have been different")
		: l10n.t("{0} decisions would have been different", numeral(decisions));
}

export function draftFrom({ effect, scope, owner, door, tool, argument }: PermissionRule): RuleDraft {
	return {
		effect,
		// A decision for one call is no rule to be added again; it is shown as one of its session.
		scope: scope === "once" ? "session" : scope,
		...(owner !== undefined && { owner }),
		...(door && { door }),
		...(tool !== undefined && { tool }),
		...(argument && { argument }),
	};
}

export function withPermissions(state: ViewState, part: Partial<PermissionsState>): ViewState {
	return { ...state, permissions: { ...state.permissions, ...part } };
}

function sendForm(state: ViewState, form: RuleForm, adds: boolean): Step {
	const problems = problemsOf(form);
	if (Object.keys(problems).length > 0) {
		const announcement = Object.values(problems).join(" ");
		const focus = problems.tool ? "rule-tool" : "rule-argument";
		return focusing(focus, { ...withPermissions(state, { form: { ...form, tried: true } }), announcement });
	}
	const rule = draftOf(form);
	return adds ? stay(state, { kind: "addRule", rule }) : askPreview(state, rule, undefined);
}

function askPreview(state: ViewState, rule: RuleDraft, of: string | undefined): Step {
	const preview = { rule, of, decisions: undefined };
	return stay(withPermissions(state, { preview }), { kind: "previewRule", rule });
}

function listDecisions({ audit: { text, limit } }: PermissionsState): ViewRequest {
	return { kind: "listDecisions", text, limit };
}

function sameRule(a: RuleDraft, b: RuleDraft): boolean {
	return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
