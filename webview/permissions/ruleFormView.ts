import { html, nothing, type TemplateResult } from "lit";
import { type ArgumentKind, DOORS, type Door } from "../../src/core/permission/permission.ts";
import type { Dispatch, RuleForm } from "../model/state.ts";
import { choosersOf, textOf } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import * as actions from "./permissionActions.ts";
import { type FormProblems, problemsOf } from "./permissionActions.ts";
import { DOOR_NAMES } from "./ruleText.ts";

const EFFECT_CHOICES = [
	["allow", l10n.t("Allow")],
	["ask", l10n.t("Ask every time")],
	["deny", l10n.t("Deny")],
] as const;
const SCOPE_CHOICES = [
	["always", l10n.t("Always")],
	["workspace", l10n.t("In this workspace")],
] as const;
const DOOR_CHOICES: readonly (readonly [Door | undefined, string])[] = [
	[undefined, l10n.t("Every channel")],
	...DOORS.map((door) => [door, DOOR_NAMES[door]] as const),
];

interface ArgumentField {
	readonly label: string;
	readonly hint: string;
}

const ARGUMENTS: Readonly<Record<ArgumentKind, ArgumentField>> = {
	command: { label: l10n.t("Command"), hint: "git status" },
	path: { label: l10n.t("Path"), hint: l10n.t("src/** or **/*.pem") },
	host: { label: l10n.t("Host"), hint: "*.example.org" },
};
const ARGUMENT_CHOICES = [
	[undefined, l10n.t("Any argument")],
	["command", ARGUMENTS.command.label],
	["path", ARGUMENTS.path.label],
	["host", ARGUMENTS.host.label],
] as const;

export function ruleFormView(form: RuleForm, hasWorkspace: boolean, dispatch: Dispatch): TemplateResult {
	const fill = (fields: Partial<RuleForm>) => dispatch(actions.fillForm(fields));
	return html`<form
		class="form"
		aria-label=${l10n.t("New rule")}
		@submit=${(event: Event) => {
			event.preventDefault();
			dispatch(actions.sendForm);
		}}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape" && !event.defaultPrevented) dispatch(actions.closeForm);
		}}
	>
		${choosers(form, hasWorkspace, fill)} ${fields(form, fill)}
		<div class="buttons">
			<vscode-button @click=${() => dispatch(actions.sendForm)}>${l10n.t("Add Rule")}</vscode-button>
			<vscode-button secondary @click=${() => dispatch(actions.previewForm)}>${l10n.t("Preview")}</vscode-button>
			<vscode-button secondary @click=${() => dispatch(actions.closeForm)}>${l10n.t("Cancel")}</vscode-button>
		</div>
	</form>`;
}

type Fill = (fields: Partial<RuleForm>) => void;

function choosers(form: RuleForm, hasWorkspace: boolean, fill: Fill): TemplateResult {
	const chooser = choosersOf(form, (field, value) => fill({ ...form, [field]: value }));
	const scopes = hasWorkspace ? SCOPE_CHOICES : SCOPE_CHOICES.slice(0, 1);
	return html`<div class="filters">
		${chooser("effect", "rule-effect", l10n.t("Effect"), EFFECT_CHOICES)}
		${chooser("scope", "rule-scope", l10n.t("Scope"), scopes)}
		${chooser("door", "rule-door", l10n.t("Channel"), DOOR_CHOICES)}
		${chooser("argumentKind", "rule-kind", l10n.t("Argument"), ARGUMENT_CHOICES)}
	</div>`;
}

function fields(form: RuleForm, fill: Fill): TemplateResult {
	const problems: FormProblems = form.tried ? problemsOf(form) : {};
	const argument = form.argumentKind && ARGUMENTS[form.argumentKind];
	return html`${field({
		id: "rule-tool",
		label: l10n.t("Tool"),
		hint: l10n.t("run_command, or * for a part of a name"),
		value: form.tool,
		problem: problems.tool,
		filled: (tool) => fill({ tool }),
	})}
	${
		argument
			? field({
					...argument,
					id: "rule-argument",
					value: form.argument,
					problem: problems.argument,
					filled: (value) => fill({ argument: value }),
				})
			: nothing
	}`;
}

interface Field extends ArgumentField {
	readonly id: string;
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
