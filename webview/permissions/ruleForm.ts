import { DOORS } from "../../src/core/permission/door.ts";
import type { ArgumentKind } from "../../src/core/permission/permission.ts";
import type { RuleDraft } from "../../src/protocol/webview.ts";
import type { RuleForm } from "../model/state.ts";
import { l10n } from "../parts/elements.ts";

const ARGUMENT_KINDS: readonly ArgumentKind[] = ["command", "path", "host"];

/** What is wrong, by the field where it can be put right. */
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

export function isSound(problems: FormProblems): boolean {
	return Object.keys(problems).length === 0;
}
