import * as z from "zod";
import type { Tool } from "../../core/agent/tool.ts";
import { feedbackOf } from "../../orchestrator/evaluate/evaluate.ts";
import type { Judgement, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { defineTool } from "../definition/defineTool.ts";
import { envelopeOf, inEnvelope } from "./envelope.ts";

const output = envelopeOf(
	z.object({
		originalPrompt: z.string(),
		isClear: z.boolean(),
		confidence: z.number().describe("0 to 1."),
		band: z.enum(["unclear", "improvable", "sufficient"]),
		feedback: z.string(),
		issues: z.array(z.string()),
		refinedPrompt: z.string(),
		suggestedRefinement: z.string().optional(),
		question: z.string().optional().describe("What to ask the user, where something essential is missing."),
		keywords: z.array(z.string()),
		selectedAgents: z.array(z.string()),
	}),
);

export function createEvaluateTool(orchestrator: Pick<Orchestrator, "judge">): Tool {
	return defineTool({
		name: "evaluate_prompt",
		title: "Evaluate Prompt",
		summary: "Say how clear a task is for an agent, and what it lacks.",
		description:
			"Judges by fixed rules, without a model, how clear a task for an agent is: a confidence, what is missing, a refinement with names from the index, and the agents that fit. Use it before handing a task to agents; it runs nothing.",
		schema: z.object({ prompt: z.string().describe("The task, as it would be given to an agent.") }),
		output,
		announce: () => "Evaluating the prompt",
		run: ({ prompt }, context) =>
			inEnvelope(context, async () => {
				const { signal, scope } = context;
				return toData(await orchestrator.judge(prompt, scope, signal));
			}),
	});
}

function toData({ evaluation, refinement, selection }: Judgement): object {
	const { prompt, isClear, confidence, band, issues, question, keywords } = evaluation;
	return {
		originalPrompt: prompt,
		isClear,
		confidence,
		band,
		feedback: feedbackOf(evaluation),
		issues: issues.map(({ message }) => message),
		refinedPrompt: refinement.prompt,
		...(refinement.changes.length > 0 && { suggestedRefinement: refinement.prompt }),
		...(question !== undefined && { question }),
		keywords,
		selectedAgents: selection.chosen.map(({ agent }) => agent.name),
	};
}
