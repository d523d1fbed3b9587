import { html, nothing, type TemplateResult } from "lit";
import type { AgentEvent, ToolCall } from "../../src/core/agent/agentEvent.ts";
import { briefPlace, escapePath } from "../../src/core/knowledge/citation.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { type Dispatch, wanted } from "../model/state.ts";
import { icon, link } from "../parts/elements.ts";
import { counted, l10n } from "../parts/l10n.ts";
import { decidedText } from "../permissions/permissionsPane.ts";

type TurnStep =
	/** `result` is absent if the call did not return. */
	| { readonly kind: "tool"; readonly call: ToolCall; readonly result?: ToolResult }
	| Extract<
			AgentEvent,
			{ readonly kind: "retrieved" | "thought" | "notice" | "permission" | "diff" | "plan" }
	  >;

type ToolResult = { readonly ok: boolean; readonly text: string };

/** Merges each call with its result, at the position of the call, and merges consecutive thoughts. */
export function stepsOf(events: readonly AgentEvent[]): TurnStep[] {
	const steps: TurnStep[] = [];
	const calls = new Map<string, number>();
	const lastPlan = events.findLast(({ kind }) => kind === "plan");
	for (const event of events) {
		switch (event.kind) {
			case "toolStarted":
				calls.set(event.call.id, steps.push({ kind: "tool", call: event.call }) - 1);
				break;
			case "toolFinished": {
				const { call, ok, text } = event;
				steps[calls.get(call.id) ?? steps.length] = { kind: "tool", call, result: { ok, text } };
				break;
			}
			case "thought": {
				const last = steps.at(-1);
				if (last?.kind !== "thought") steps.push(event);
				else steps[steps.length - 1] = { kind: "thought", text: last.text + event.text };
				break;
			}
			case "retrieved":
			case "notice":
			case "permission":
			case "diff":
				steps.push(event);
				break;
			case "plan":
				// Each plan replaces the plan before, so only the last plan is shown.
				if (event === lastPlan) steps.push(event);
		}
	}
	return steps;
}

/** Maximum characters shown of an input or a result. The export contains all. */
const MAX_SHOWN = 10_000;

export function turnStep(step: TurnStep, dispatch: Dispatch): TemplateResult {
	switch (step.kind) {
		case "tool":
			return toolStep(step);
		case "retrieved":
			return fold("search", foundText(step.hits.length), hitList(step.hits, dispatch));
		case "thought":
			return fold("lightbulb", l10n.t("Thought"), html`<p class="plain">${step.text}</p>`);
		case "notice":
			return html`<p class="step note">${icon("info")}<span>${step.text}</span></p>`;
		case "permission":
			return html`<p class="step note">
				${icon(step.effect === "allow" ? "pass" : "circle-slash")}
				<span>${decidedText(step.effect, step.by)}: ${step.title}</span>
			</p>`;
		case "diff":
			return diffStep(step);
		case "plan":
			return planStep(step);
	}
}

function toolStep({ call, result }: Extract<TurnStep, { readonly kind: "tool" }>): TemplateResult {
	const [sign, outcome] = outcomeOf(result);
	return fold(
		sign,
		html`<code>${call.name.replace(/^copilot-ld_/, "")}</code> ${outcome}`,
		html`${long(l10n.t("Input"), JSON.stringify(call.input, undefined, 2) ?? "")}
			${result ? long(result.ok ? l10n.t("Result") : l10n.t("Error"), result.text) : nothing}`,
	);
}

function outcomeOf(result: ToolResult | undefined): [icon: string, words: string] {
	if (!result) return ["circle-slash", l10n.t("did not finish")];
	return result.ok ? ["tools", ""] : ["error", l10n.t("failed")];
}

function diffStep({ path, oldText, newText }: Extract<TurnStep, { readonly kind: "diff" }>): TemplateResult {
	return fold(
		"diff",
		html`${l10n.t("Changed")} <code>${path}</code>`,
		html`${long(l10n.t("Before"), oldText)} ${long(l10n.t("After"), newText)}`,
	);
}

function long(title: string, text: string): TemplateResult {
	return html`<h4>${title}</h4>
		<pre>${cut(text)}</pre>`;
}

function planStep({ steps, text }: Extract<TurnStep, { readonly kind: "plan" }>): TemplateResult {
	return fold(
		"checklist",
		l10n.t("Plan"),
		html`<ul class="hits">
				${steps.map(({ title, status }) => html`<li>${title} <span class="dim">${status}</span></li>`)}
			</ul>
			<p class="plain">${cut(text)}</p>`,
	);
}

function hitList(hits: readonly Hit[], dispatch: Dispatch): TemplateResult {
	return html`<ul class="hits">
		${hits.map(
			({ path, lines, title }) =>
				html`<li>
					${link(title || path, () => dispatch(wanted({ kind: "openCitation", citation: { path, lines } })))}
					<span class="dim">${escapePath(path)}:${briefPlace(lines)}</span>
				</li>`,
		)}
	</ul>`;
}

function fold(name: string, title: TemplateResult | string, content: TemplateResult): TemplateResult {
	return html`<details class="step">
		<summary>${icon(name)}<span class="grow">${title}</span>${icon("chevron-right")}</summary>
		<div class="body">${content}</div>
	</details>`;
}

const foundText = counted(l10n.t("Found 1 passage"), l10n.t("Found {0} passages"));
const moreText = counted(l10n.t("1 more character"), l10n.t("{0} more characters"));

function cut(text: string): string {
	if (text.length <= MAX_SHOWN) return text;
	return `${text.slice(0, MAX_SHOWN)}\n… ${moreText(text.length - MAX_SHOWN)}`;
}
