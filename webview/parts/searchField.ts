import { html, nothing, type TemplateResult } from "lit";
import { icon, textOf } from "./elements.ts";
import { l10n } from "./l10n.ts";

export interface SearchFieldOptions {
	readonly id: string;
	readonly label: string;
	readonly text: string;
	readonly searched: (text: string) => void;
}

/** Milliseconds after the last letter. */
const PAUSE = 200;
const debounce = createDebounce(PAUSE);

/** A field that searches when a person pauses, or presses Enter. Escape empties it. */
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

interface Debounce {
	run(action: () => void): void;
	flush(): void;
	cancel(): void;
}

export function createDebounce(milliseconds: number): Debounce {
	let waiting: { readonly timer: ReturnType<typeof setTimeout>; readonly action: () => void } | undefined;
	const take = () => {
		const taken = waiting;
		if (taken) clearTimeout(taken.timer);
		waiting = undefined;
		return taken;
	};
	return {
		run: (action) => {
			take();
			waiting = { timer: setTimeout(() => take()?.action(), milliseconds), action };
		},
		flush: () => take()?.action(),
		cancel: take,
	};
}
