import { html, type TemplateResult } from "lit";
import type { Dispatch } from "../model/event.ts";
import type { Preview } from "../model/state.ts";
import { action, loadingNote } from "../parts/elements.ts";
import { count } from "../parts/text.ts";
import { decisionItem } from "./decisionItem.ts";
import { EFFECTS } from "./ruleText.ts";

/** Decisions that are named; the others are counted. */
const MAX_SHOWN = 20;

/** What a rule would have changed in the last 30 days. */
export function previewBox({ rule, decisions }: Preview, now: number, dispatch: Dispatch): TemplateResult {
	return html`<div class="preview" role="group" aria-label="Preview">
		<div class="preview-head">
			<h3 class="grow">In the last 30 days</h3>
			${action({ icon: "close", label: "Close the preview", run: () => dispatch({ kind: "previewClosed" }) })}
		</div>
		${decisions ? changes(decisions, EFFECTS[rule.effect].label.toLowerCase(), now) : loadingNote()}
	</div>`;
}

function changes(decisions: NonNullable<Preview["decisions"]>, effect: string, now: number): TemplateResult {
	if (decisions.length === 0) return html`<p class="dim">This rule would not have changed any decision.</p>`;
	const left = decisions.length - MAX_SHOWN;
	return html`<p>
			${count(decisions.length, "call")} would have been decided otherwise: ${effect}.
		</p>
		<ul class="items">
			${decisions.slice(0, MAX_SHOWN).map((decision) => decisionItem(decision, now))}
		</ul>
		${left > 0 ? html`<p class="dim">… and ${left} more</p>` : ""}`;
}
