import { l10n } from "vscode";
import { escapeMarkdown, fenced } from "../../base/text/markdown.ts";
import type { Chain } from "../../core/agent/chain.ts";
import { feedbackOf } from "../../orchestrator/evaluate/evaluate.ts";
import type { Draft, Judgement } from "../../orchestrator/orchestrator.ts";
import type { Plan } from "../../orchestrator/plan/plan.ts";
import { numeral } from "../amounts.ts";
import { translated } from "../reported.ts";

/** A chain as a person types it: `a > b & c`. Conditions are not in it. */
export function chainText({ stages }: Pick<Chain, "stages">): string {
	return stages.map(({ steps }) => steps.map(({ agent }) => agent).join(" & ")).join(" > ");
}

/** A plan for a person to judge, before anything runs. */
export function planMarkdown({ plan }: Pick<Draft, "plan">): string {
	const { task, steps, rationale, tokens, evaluation } = plan;
	const changed = task.changes.map(quoted);
	return [
		l10n.t("**Plan** for: {0}", escapeMarkdown(task.refined)),
		...changed,
		...(evaluation.question === undefined ? [] : [`**${said(evaluation.question)}**`]),
		...steps.map(stepMarkdown),
		`${said(rationale.replace(/\.?$/, "."))} ${l10n.t("About {0} tokens in total at first. This is an estimate, without the results of tools.", numeral(tokens))}`,
	].join("\n\n");
}

/** A list, for a chat is too narrow for a table. Steps of one number run side by side. */
function stepMarkdown({ stage, agent, why, tools, mayChange, tokens }: Plan["steps"][number]): string {
	const lines = [
		`**${stage + 1}. ${escapeMarkdown(agent.name)}** ${mayChange ? l10n.t("may change files and run commands") : l10n.t("only reads")}`,
		`- ${l10n.t("Why: {0}", why.map(said).join("; "))}`,
		`- ${tools ? l10n.t("Tools: {0}", tools.map(escapeMarkdown).join(", ")) : l10n.t("Tools: all that the rules allow")}`,
		`- ${l10n.t("Reads about {0} tokens at first", numeral(tokens))}`,
	];
	return lines.join("\n");
}

/** What each step would be asked; nothing runs. */
export function dryRunMarkdown({ plan }: Pick<Draft, "plan">): string {
	const steps = plan.steps.map(({ id, stage, agent, prompt }) =>
		[
			`## ${l10n.t("Stage {0}: {1}", stage + 1, escapeMarkdown(id))}`,
			l10n.t("Persona:"),
			fenced(agent.persona),
			l10n.t("Prompt:"),
			fenced(prompt),
		].join("\n\n"),
	);
	return [
		`# ${l10n.t("Dry run: {0}", escapeMarkdown(chainText(plan.chain)))}`,
		l10n.t("Nothing was run."),
		...steps,
	].join("\n\n");
}

/** How clear a prompt is, for the person who wrote it. */
export function judgementMarkdown({ evaluation, refinement, selection }: Judgement): string {
	const { confidence, band, isClear, question } = evaluation;
	const ranked = selection.chosen.map(({ agent, score, points }) => {
		const why = points.map(({ points: own, because }) => `+${own} ${translated(because)}`).join("; ");
		return `- **${escapeMarkdown(agent.name)}** ${score}: ${escapeMarkdown(why || l10n.t("used because no agent matches"))}`;
	});
	return [
		`${isClear ? l10n.t("**Clear**, confidence {0} ({1}).", confidence, band) : l10n.t("**Not clear**, confidence {0} ({1}).", confidence, band)} ${said(feedbackOf(evaluation))}`,
		...(question === undefined ? [] : [`**${said(question)}**`]),
		...(refinement.changes.length > 0 ? [l10n.t("Clearer: {0}", escapeMarkdown(refinement.prompt))] : []),
		...refinement.changes.map(quoted),
		...(ranked.length > 0 ? [l10n.t("Matching agents:"), ranked.join("\n")] : []),
	].join("\n\n");
}

/** What the orchestrator says of a prompt or a plan. */
function said(words: string): string {
	return escapeMarkdown(translated(words));
}

function quoted(words: string): string {
	return `> ${said(words)}`;
}
