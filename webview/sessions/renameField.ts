import { html, type TemplateResult } from "lit";
import type { SessionSummary } from "../../src/core/session/session.ts";
import type { Dispatch } from "../model/event.ts";
import { l10n, textOf } from "../parts/elements.ts";

/** The title as a field. Enter and leaving it keep what is written, Escape does not. */
export function renameField({ title }: SessionSummary, dispatch: Dispatch): TemplateResult {
	return html`<vscode-textfield
		id="rename"
		class="grow"
		maxlength="200"
		.label=${l10n.t("Title")}
		.value=${title}
		@keydown=${(event: KeyboardEvent) => {
			// The list and the transcript have keys of their own.
			event.stopPropagation();
			if (event.key === "Enter") dispatch({ kind: "renameEnded", title: textOf(event) });
			if (event.key === "Escape") dispatch({ kind: "renameEnded" });
		}}
		@focusout=${(event: Event) => dispatch({ kind: "renameEnded", title: textOf(event), left: true })}
	></vscode-textfield>`;
}
