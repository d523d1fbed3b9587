import { DOORS } from "../../src/core/permission/door.ts";
import type { ArgumentKind } from "../../src/core/permission/permission.ts";
import type { RuleDraft } from "../../src/protocol/webview.ts";
import type { RuleForm } from "../model/state.ts";

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
			form.effect === "allow" && { tool: "Name a tool or an argument: this rule would allow everything." }),
		...(draft.tool &&
			!/^[\w*./-]+$/.test(draft.tool) && {
				tool: "A tool's name has letters, digits, “-” and “_”; “*” stands for any of them.",
			}),
		...argumentProblem(draft.argument),
	};
}

const HOST = /^[\w*-]+(\.[\w*-]+)*(:\d+)?$/;

function argumentProblem(argument: RuleDraft["argument"]): FormProblems {
	if (!argument) return {};
	const { kind, value } = argument;
	if (value === "") return { argument: `Say which ${kind}, or choose “Any argument”.` };
	if (kind === "path" && value.includes("\\")) return { argument: "Write paths with forward slashes." };
	if (kind === "path" && value.split("/").includes(".."))
		return { argument: "Write the path without “..”, such as src/** or **/*.pem." };
	if (kind === "host" && !HOST.test(value))
		return { argument: "Write a host without “https://” and path, such as *.example.org." };
	return {};
}

export function isSound(problems: FormProblems): boolean {
	return Object.keys(problems).length === 0;
}
