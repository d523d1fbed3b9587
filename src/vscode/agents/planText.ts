import { escapeMarkdown, fenced } from "../../base/markdown.ts";
import type { Chain } from "../../core/agent/chain.ts";
import { feedbackOf } from "../../orchestrator/evaluate/evaluate.ts";
import type { Draft, Judgement } from "../../orchestrator/orchestrator.ts";

/** A chain as a person types it: `a > b & c`. Conditions are not in it. */
export function chainText({ stages }: Pick<Chain, "stages">): string {
	return stages.map(({ steps }) => steps.map(({ agent }) => agent).join(" & ")).join(" > ");
}

/** A plan for a person to judge, before anything runs. */
export function planMarkdown({ plan }: Pick<Draft, "plan">): string {
	const { task, steps, rationale, tokens, evaluation } = plan;
	const changed = task.changes.map((change) => `> ${escapeMarkdown(change)}`);
	const rows = steps.map(({ stage, agent, why, tools, mayChange, tokens: own }) => {
		const may = mayChange ? "may change files and run commands" : "only reads";
		const cells = [
			`${stage + 1}`,
			`**${escapeMarkdown(agent.name)}**`,
			why.map(escapeMarkdown).join("; "),
			tools ? tools.map(escapeMarkdown).join(", ") : "all that the rules allow",
			may,
			`about ${own.toLocaleString("en")}`,
		];
		return `| ${cells.join(" | ")} |`;
	});
	return [
		`**Plan** for: ${escapeMarkdown(task.refined)}`,
		...changed,
		...(evaluation.question === undefined ? [] : [`**${escapeMarkdown(evaluation.question)}**`]),
		["| stage | agent | why | tools | changes | tokens |", "|---|---|---|---|---|---|", ...rows].join("\n"),
		`${escapeMarkdown(rationale)} In all about ${tokens.toLocaleString("en")} tokens at first: an estimate, without what the tools give.`,
	].join("\n\n");
}

/** What each step would be asked; nothing runs. */
export function dryRunMarkdown({ plan }: Pick<Draft, "plan">): string {
	const steps = plan.steps.map(
		({ id, stage, agent, prompt }) =>
			`## Stage ${stage + 1}: ${escapeMarkdown(id)}\n\nPersona:\n\n${fenced(agent.persona)}\n\nPrompt:\n\n${fenced(prompt)}`,
	);
	return [`# Dry run: ${escapeMarkdown(chainText(plan.chain))}`, "Nothing was run.", ...steps].join("\n\n");
}

/** How clear a prompt is, for the person who wrote it. */
export function judgementMarkdown({ evaluation, refinement, selection }: Judgement): string {
	const { confidence, band, isClear, question } = evaluation;
	const ranked = selection.chosen.map(({ agent, score, points }) => {
		const why = points.map(({ points: own, because }) => `+${own} ${because}`).join("; ");
		return `- **${escapeMarkdown(agent.name)}** ${score}: ${escapeMarkdown(why || "stands in, for nothing fits")}`;
	});
	return [
		`**${isClear ? "Clear" : "Not clear"}**, confidence ${confidence} (${band}). ${escapeMarkdown(feedbackOf(evaluation))}`,
		...(question === undefined ? [] : [`**${escapeMarkdown(question)}**`]),
		...(refinement.changes.length > 0 ? [`Clearer: ${escapeMarkdown(refinement.prompt)}`] : []),
		...refinement.changes.map((change) => `> ${escapeMarkdown(change)}`),
		...(ranked.length > 0 ? [`Agents for it:\n\n${ranked.join("\n")}`] : []),
	].join("\n\n");
}
