import { html, nothing, type TemplateResult } from "lit";
import type { Citation } from "../../src/core/knowledge/citation.ts";
import type { Dispatch } from "../model/event.ts";
import { action, icon } from "../parts/elements.ts";
import { compactNumber, duration } from "../parts/text.ts";
import type { StepNode } from "./stepTree.ts";
import { turnStep } from "./turnStep.ts";
import { stepsOf } from "./turnSteps.ts";

const STATES: Readonly<Record<StepNode["state"], { readonly icon: string; readonly words: string }>> = {
	waiting: { icon: "circle-large-outline", words: "waiting" },
	working: { icon: "loading codicon-modifier-spin", words: "at work" },
	stalled: { icon: "warning", words: "no sign of life" },
	lost: { icon: "warning", words: "cut off" },
	succeeded: { icon: "pass", words: "done" },
	failed: { icon: "error", words: "failed" },
	timedOut: { icon: "watch", words: "out of time" },
	skipped: { icon: "debug-step-over", words: "skipped" },
	cancelled: { icon: "debug-stop", words: "stopped" },
};

export interface StepListView {
	/** Of the chain. */
	readonly session: string;
	readonly stages: readonly (readonly StepNode[])[];
	readonly now: number;
	openCitation(citation: Citation): void;
}

/** The steps of a chain: what each of them does, or did. Those of a stage run side by side. */
export function stepList(view: StepListView, dispatch: Dispatch): TemplateResult | typeof nothing {
	if (view.stages.length === 0) return nothing;
	return html`<ol class="stages" aria-label="Steps">
		${view.stages.map(
			(stage) =>
				html`<li>
					<ul class="stage" aria-label=${stage.length > 1 ? `${stage.length} steps side by side` : nothing}>
						${stage.map((node) => html`<li>${stepNode(node, view, dispatch)}</li>`)}
					</ul>
				</li>`,
		)}
	</ol>`;
}

function stepNode(node: StepNode, view: StepListView, dispatch: Dispatch): TemplateResult {
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
		${controls(node, view.session, dispatch)}
	</div>`;
}

function facts({ state, run, age, tokens }: StepNode, now: number): TemplateResult {
	const parts: string[] = [STATES[state].words];
	if (state === "stalled" && run) parts[0] += ` for ${duration(now - run.heardAt)}`;
	if (run?.tool && !run.ended) parts.push(run.tool);
	if (age >= 1000) parts.push(duration(age));
	if (tokens > 0) parts.push(`${compactNumber(tokens)} tokens`);
	if (run && run.attempt > 1) parts.push(`try ${run.attempt}`);
	return html`<span class=${state === "stalled" || state === "failed" ? "alarm" : "dim"}>${parts.join(" · ")}</span>`;
}

function controls(
	{ step, agent, state }: StepNode,
	session: string,
	dispatch: Dispatch,
): TemplateResult | typeof nothing {
	if (state !== "working" && state !== "stalled") return nothing;
	const stop = () => dispatch({ kind: "wanted", request: { kind: "stopStep", session, step } });
	return action({ icon: "debug-stop", label: `Stop ${agent}`, run: stop });
}
