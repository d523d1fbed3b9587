import { html, nothing, type TemplateResult } from "lit";
import { briefPlace, type Citation, escapePath } from "../../src/core/knowledge/citation.ts";
import { icon } from "../parts/elements.ts";
import { l10n, numeral } from "../parts/l10n.ts";
import { decidedText } from "../permissions/ruleText.ts";
import type { ToolResult, TurnStep } from "./turnSteps.ts";

/** Characters of an input or a result that are shown; the export holds all. */
const MAX_SHOWN = 10_000;

export function turnStep(step: TurnStep, openCitation: (citation: Citation) => void): TemplateResult {
	switch (step.kind) {
		case "tool":
			return toolStep(step);
		case "retrieved":
			return fold("search", foundText(step.hits.length), hitList(step, openCitation));
		case "thought":
			return fold("lightbulb", l10n.t("Thought"), html`<p class="plain">${step.text}</p>`);
		case "notice":
			return html`<p class="step note">${icon("info")}<span>${step.text}</span></p>`;
		case "permission":
			return permissionStep(step);
		case "diff":
			return diffStep(step);
		case "plan":
			return planStep(step);
	}
}

function toolStep({ call, result }: Extract<TurnStep, { readonly kind: "tool" }>): TemplateResult {
	const outcome = outcomeOf(result);
	const title = html`<code>${call.name.replace(/^copilot-ld_/, "")}</code> ${outcome.words}`;
	return fold(
		outcome.icon,
		title,
		html`<h4>${l10n.t("Input")}</h4>
			<pre>${cut(JSON.stringify(call.input, undefined, 2) ?? "")}</pre>
			${
				result
					? html`<h4>${result.ok ? l10n.t("Result") : l10n.t("Error")}</h4>
							<pre>${cut(result.text)}</pre>`
					: nothing
			}`,
	);
}

function outcomeOf(result: ToolResult | undefined): { readonly icon: string; readonly words: string } {
	if (!result) return { icon: "circle-slash", words: l10n.t("did not finish") };
	return result.ok ? { icon: "tools", words: "" } : { icon: "error", words: l10n.t("failed") };
}

function permissionStep(step: Extract<TurnStep, { readonly kind: "permission" }>): TemplateResult {
	return html`<p class="step note">
		${icon(step.effect === "allow" ? "pass" : "circle-slash")}
		<span>${decidedText(step.effect, step.by)}: ${step.title}</span>
	</p>`;
}

function diffStep({ path, oldText, newText }: Extract<TurnStep, { readonly kind: "diff" }>): TemplateResult {
	return fold(
		"diff",
		html`${l10n.t("Changed")} <code>${path}</code>`,
		html`<h4>${l10n.t("Before")}</h4>
			<pre>${cut(oldText)}</pre>
			<h4>${l10n.t("After")}</h4>
			<pre>${cut(newText)}</pre>`,
	);
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

function hitList(
	{ hits }: Extract<TurnStep, { readonly kind: "retrieved" }>,
	openCitation: (citation: Citation) => void,
): TemplateResult {
	return html`<ul class="hits">
		${hits.map(
			({ path, lines, title }) =>
				html`<li>
					<button type="button" role="link" class="link" @click=${() => openCitation({ path, lines })}>
						${title || path}
					</button>
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

function foundText(passages: number): string {
	return passages === 1 ? l10n.t("Found 1 passage") : l10n.t("Found {0} passages", numeral(passages));
}

function cut(text: string): string {
	if (text.length <= MAX_SHOWN) return text;
	const left = text.length - MAX_SHOWN;
	const more = left === 1 ? l10n.t("1 more character") : l10n.t("{0} more characters", numeral(left));
	return `${text.slice(0, MAX_SHOWN)}\n… ${more}`;
}
