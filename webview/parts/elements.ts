import { html, type TemplateResult } from "lit";
import { l10n } from "./l10n.ts";

/** A codicon. It says nothing to screen readers: the control around it has a name. */
export function icon(name: string): TemplateResult {
	return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export interface ActionOptions {
	readonly icon: string;
	readonly label: string;
	readonly run: (event: Event) => void;
	/** Of an element that the keyboard is sent to. */
	readonly id?: string;
}

export function action({ icon: name, label, run, id = "" }: ActionOptions): TemplateResult {
	return html`<button type="button" class="action" id=${id} title=${label} aria-label=${label} @click=${run}>
		${icon(name)}
	</button>`;
}

export function emptyNote(text: string): TemplateResult {
	return html`<p class="empty">${text}</p>`;
}

export function loadingNote(): TemplateResult {
	return html`<p class="empty" role="status"><vscode-progress-ring aria-label=${l10n.t("Loading")}></vscode-progress-ring></p>`;
}

export function textOf(event: Event): string {
	return (event.currentTarget as HTMLInputElement).value;
}

interface Choice {
	readonly value: string;
	readonly label: string;
}

export interface ChooserOptions {
	readonly id: string;
	readonly label: string;
	readonly value: string;
	readonly choices: readonly Choice[];
	readonly chosen: (value: string) => void;
}

/** A drop-down under its label. Its name says what is chosen, for the component tells screen readers only its name. */
export function chooser({ id, label, value, choices, chosen }: ChooserOptions): TemplateResult {
	const current = choices.find((choice) => choice.value === value)?.label ?? "";
	return html`<div class="chooser"><span class="dim" aria-hidden="true">${label}</span><vscode-single-select
		id=${id}
		.label=${`${label}: ${current}`}
		.value=${value}
		title=${label}
		@change=${(event: Event) => chosen(textOf(event))}
	>
		${choices.map(
			(choice) =>
				html`<vscode-option value=${choice.value} ?selected=${choice.value === value}>
					${choice.label}
				</vscode-option>`,
		)}
	</vscode-single-select></div>`;
}
