import { html, nothing, type TemplateResult } from "lit";
import type { Citation } from "../../src/core/knowledge/citation.ts";
import type { Dispatch } from "../model/event.ts";
import { action, icon } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { compactNumber, duration } from "../parts/text.ts";
import { isWhole, type StepNode } from "./stepTree.ts";
import { turnStep } from "./turnStep.ts";
import { stepsOf } from "./turnSteps.ts";

const STATES: Readonly<Record<StepNode["state"], { readonly icon: string; readonly words: string }>> = {
	waiting: { icon: "circle-large-outline", words: l10n.t("waiting") },
	unbegun: { icon: "circle-slash", words: l10n.t("not started") },
	working: { icon: "loading codicon-modifier-spin", words: l10n.t("running") },
	stalled: { icon: "warning", words: l10n.t("not responding") },
	lost: { icon: "warning", words: l10n.t("interrupted") },
	succeeded: { icon: "pass", words: l10n.t("done") },
	failed: { icon: "error", words: l10n.t("failed") },
	timedOut: { icon: "watch", words: l10n.t("timed out") },
	skipped: { icon: "debug-step-over", words: l10n.t("skipped") },
	cancelled: { icon: "debug-stop", words: l10n.t("stopped") },
};

export interface StepListView {
	readonly stages: readonly (readonly StepNode[])[];
	readonly now: number;
	/** Whether the chain can go on. */
	readonly isResumable: boolean;
	openCitation(citation: Citation): void;
}

/** The steps of a chain: what each of them does, or did. Those of a stage run side by side. */
export function stepList(view: StepListView, dispatch: Dispatch): TemplateResult | typeof nothing {
	if (view.stages.length === 0) return nothing;
	const tokens = view.stages.flat().reduce((sum, node) => sum + node.tokens, 0);
	return html`<ol class="stages" aria-label=${l10n.t("Steps")}>
		${view.stages.map(
			(stage) =>
				html`<li>
					<ul class="stage" aria-label=${stage.length > 1 ? l10n.t("{0} parallel steps", stage.length) : nothing}>
						${stage.map((node) => html`<li>${stepNode({ ...node, of: tokens }, view, dispatch)}</li>`)}
					</ul>
				</li>`,
		)}
	</ol>${view.isResumable && !isWhole(view.stages) ? resumeButton(dispatch) : nothing}`;
}

/** A step, and how many tokens all steps of its chain have taken. */
interface SharedNode extends StepNode {
	readonly of: number;
}

function resumeButton(dispatch: Dispatch): TemplateResult {
	const resume = () => dispatch({ kind: "chainResumed" });
	return html`<vscode-button secondary @click=${resume}>${l10n.t("Resume Chain in Chat")}</vscode-button>`;
}

function stepNode(node: SharedNode, view: StepListView, dispatch: Dispatch): TemplateResult {
	const { agent, state, run, events } = node;
	const text = run?.ended?.text ?? "";
	return html`<div class="branch">
		<details class="step ${state}">
			<summary>
				${icon(STATES[state].icon)}<span class="grow"><strong>${agent}</strong> ${facts(node, view.now)}</span
				>${icon("chevron-right")}
			</summary>
			<div class="body">
				${stepsOf(events).map((step) => turnStep(step, view.openCitation))}
				${text === "" ? nothing : html`<p class="plain">${text}</p>`}
			</div>
		</details>
		${controls(node, view, dispatch)}
	</div>`;
}

function facts({ state, run, age, tokens, of }: SharedNode, now: number): TemplateResult {
	const parts = [
		state === "stalled" && run
			? l10n.t("not responding for {0}", duration(now - run.heardAt))
			: STATES[state].words,
	];

	if (run?.tool && !run.ended) parts.push(run.tool);
	if (age >= 1000) parts.push(duration(age));
	if (tokens > 0) parts.push(l10n.t("{0} tokens", compactNumber(tokens)) + shareOf(tokens, of));
	if (run && run.attempt > 1) parts.push(l10n.t("try {0}", run.attempt));
	return html`<span class=${state === "stalled" || state === "failed" ? "alarm" : "dim"}>${parts.join(" · ")}</span>`;
}

function shareOf(tokens: number, of: number): string {
	return tokens < of ? ` (${Math.round((100 * tokens) / of)}%)` : "";
}

/** What is at work can be stopped; what is over can run again, with all that comes after it. */
function controls(
	{ step, agent, run, state }: StepNode,
	{ isResumable }: StepListView,
	dispatch: Dispatch,
): TemplateResult | typeof nothing {
	const session = run?.session;
	if (isResumable) {
		const retry = () => dispatch({ kind: "chainResumed", step });
		return run
			? action({ icon: "debug-restart", label: l10n.t("Retry from {0}", agent), run: retry })
			: nothing;
	}
	if (!session || (state !== "working" && state !== "stalled")) return nothing;
	const stop = () => dispatch({ kind: "stepStopped", session });
	return action({ icon: "debug-stop", label: l10n.t("Stop {0}", agent), run: stop });
}
