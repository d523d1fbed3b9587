import { html, nothing, type TemplateResult } from "lit";
import { l10n } from "./l10n.ts";

/** A codicon. It says nothing to screen readers: the control around it has a name. */
export function icon(name: string): TemplateResult {
	return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export interface ActionOptions {
	readonly icon: string;
	readonly label: string;
	readonly run: (event: Event) => void;
	/** Id of an element that can be focused. */
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

/** A drop-down under its label. Its name includes the choice, because the component exposes only the name to screen readers. */
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

/** The last segment of a path or a URI, decoded. */
export function baseName(path: string): string {
	const name = path.replace(/\/+$/, "").split("/").at(-1) ?? path;
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

export interface SearchFieldOptions {
	readonly id: string;
	readonly label: string;
	readonly text: string;
	readonly searched: (text: string) => void;
}

/** Milliseconds after the last letter. */
const PAUSE = 200;
const debounce = createDebounce(PAUSE);

/** A field that searches when the user pauses, or presses Enter. Escape empties it. */
export function searchField({ id, label, text, searched }: SearchFieldOptions): TemplateResult {
	const clear = () => {
		debounce.cancel();
		searched("");
	};
	return html`<vscode-textfield
		id=${id}
		class="grow"
		.label=${label}
		placeholder=${label}
		.value=${text}
		@input=${(event: Event) => {
			const typed = textOf(event);
			debounce.run(() => searched(typed.trim()));
		}}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape" && textOf(event) !== "") clear();
			else if (event.key === "Enter") debounce.flush();
			else return;
			event.preventDefault();
		}}
	>
		<span slot="content-before" class="codicon codicon-search" aria-hidden="true"></span>
		${
			text === ""
				? nothing
				: html`<button slot="content-after" type="button" class="action" title=${l10n.t("Clear")} aria-label=${l10n.t("Clear")} @click=${clear}>
						${icon("close")}
					</button>`
		}
	</vscode-textfield>`;
}

export function createDebounce(milliseconds: number) {
	let waiting: { readonly timer: ReturnType<typeof setTimeout>; readonly action: () => void } | undefined;
	const take = () => {
		const taken = waiting;
		if (taken) clearTimeout(taken.timer);
		waiting = undefined;
		return taken;
	};
	return {
		run: (action: () => void) => {
			take();
			waiting = { timer: setTimeout(() => take()?.action(), milliseconds), action };
		},
		flush: () => take()?.action(),
		cancel: take,
	};
}
