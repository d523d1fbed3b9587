import { html, nothing, type TemplateResult } from "lit";
import { DOORS } from "../../src/core/permission/permission.ts";
import type { Dispatch } from "../model/event.ts";
import type { RuleForm } from "../model/state.ts";
import { chooser, textOf } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { type FormProblems, problemsOf } from "./reducePermissions.ts";
import { DOOR_NAMES } from "./ruleText.ts";

const EFFECT_CHOICES = [
	{ value: "allow", label: l10n.t("Allow") },
	{ value: "ask", label: l10n.t("Ask every time") },
	{ value: "deny", label: l10n.t("Deny") },
];
const SCOPE_CHOICES = [
	{ value: "always", label: l10n.t("Always") },
	{ value: "workspace", label: l10n.t("In this workspace") },
];
const DOOR_CHOICES = [
	{ value: "", label: l10n.t("Every channel") },
	...DOORS.map((door) => ({ value: door, label: DOOR_NAMES[door] })),
];
const ARGUMENT_CHOICES = [
	{ value: "", label: l10n.t("Any argument") },
	{ value: "command", label: l10n.t("Command") },
	{ value: "path", label: l10n.t("Path") },
	{ value: "host", label: l10n.t("Host") },
];

const EXAMPLES: Readonly<Record<string, string>> = {
	command: "git status",
	path: l10n.t("src/** or **/*.pem"),
	host: "*.example.org",
};

export function ruleFormView(form: RuleForm, hasWorkspace: boolean, dispatch: Dispatch): TemplateResult {
	const problems = form.tried ? problemsOf(form) : {};
	return html`<form
		class="form"
		aria-label=${l10n.t("New rule")}
		@submit=${(event: Event) => {
			event.preventDefault();
			dispatch({ kind: "formSent" });
		}}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape" && !event.defaultPrevented) dispatch({ kind: "formClosed" });
		}}
	>
		${choosers(form, hasWorkspace, dispatch)} ${fields(form, problems, dispatch)}
		<div class="buttons">
			<vscode-button @click=${() => dispatch({ kind: "formSent" })}>${l10n.t("Add Rule")}</vscode-button>
			<vscode-button secondary @click=${() => dispatch({ kind: "formPreviewed" })}>${l10n.t("Preview")}</vscode-button>
			<vscode-button secondary @click=${() => dispatch({ kind: "formClosed" })}>${l10n.t("Cancel")}</vscode-button>
		</div>
	</form>`;
}

function choosers(form: RuleForm, hasWorkspace: boolean, dispatch: Dispatch): TemplateResult {
	const fill = (fields: Partial<RuleForm>) => dispatch({ kind: "formFilled", fields });
	return html`<div class="filters">
		${chooser({
			id: "rule-effect",
			label: l10n.t("Effect"),
			value: form.effect,
			choices: EFFECT_CHOICES,
			chosen: (value) => fill({ effect: value === "allow" || value === "deny" ? value : "ask" }),
		})}
		${chooser({
			id: "rule-scope",
			label: l10n.t("Scope"),
			value: form.scope,
			choices: hasWorkspace ? SCOPE_CHOICES : SCOPE_CHOICES.slice(0, 1),
			chosen: (value) => fill({ scope: value === "workspace" ? value : "always" }),
		})}
		${chooser({
			id: "rule-door",
			label: l10n.t("Channel"),
			value: form.door,
			choices: DOOR_CHOICES,
			chosen: (value) => fill({ door: value }),
		})}
		${chooser({
			id: "rule-kind",
			label: l10n.t("Argument"),
			value: form.argumentKind,
			choices: ARGUMENT_CHOICES,
			chosen: (value) => fill({ argumentKind: value }),
		})}
	</div>`;
}

function fields(form: RuleForm, problems: FormProblems, dispatch: Dispatch): TemplateResult {
	const fill = (part: Partial<RuleForm>) => dispatch({ kind: "formFilled", fields: part });
	return html`${field({
		id: "rule-tool",
		label: l10n.t("Tool"),
		hint: l10n.t("run_command, or * for a part of a name"),
		value: form.tool,
		problem: problems.tool,
		filled: (tool) => fill({ tool }),
	})}
	${
		form.argumentKind === ""
			? nothing
			: field({
					id: "rule-argument",
					label: ARGUMENT_CHOICES.find(({ value }) => value === form.argumentKind)?.label ?? "",
					hint: EXAMPLES[form.argumentKind] ?? "",
					value: form.argument,
					problem: problems.argument,
					filled: (argument) => fill({ argument }),
				})
	}`;
}

interface Field {
	readonly id: string;
	readonly label: string;
	readonly hint: string;
	readonly value: string;
	readonly problem: string | undefined;
	readonly filled: (value: string) => void;
}

function field({ id, label, hint, value, problem, filled }: Field): TemplateResult {
	return html`<div class="field">
		<span class="label" aria-hidden="true">${label}</span>
		<vscode-textfield
			id=${id}
			.label=${problem ? `${label}, ${problem}` : label}
			placeholder=${hint}
			maxlength="200"
			.value=${value}
			?invalid=${problem !== undefined}
			@input=${(event: Event) => filled(textOf(event))}
		></vscode-textfield>
		${problem ? html`<p class="problem">${problem}</p>` : nothing}
	</div>`;
}
