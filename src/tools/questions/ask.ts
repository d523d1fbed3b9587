import * as z from "zod";
import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import type { Tool, ToolContext } from "../../core/agent/tool.ts";
import { formatCitation } from "../../core/knowledge/citation.ts";
import { defineTool } from "../definition/defineTool.ts";

const schema = z.object({
	question: z.string().min(1).describe("The whole question, understandable without the conversation."),
});

/** `openRunner` gives the runner for a call; it rejects with a `Failure` where no model is to be had. */
export function createAskTool(openRunner: (context: ToolContext) => Promise<Runner>): Tool {
	return defineTool({
		name: "ask",
		title: "Ask Copilot-LD",
		summary: "Let Copilot-LD research a question in the knowledge base and answer with citations.",
		description:
			"Hands a whole question to Copilot-LD, an agent that searches and reads the user's knowledge base in several steps, and returns its answer with citations [path:lines]. Use it for questions that need several look-ups; for a single look-up search_knowledge is faster.",
		schema,
		isReadOnly: true,
		announce: ({ question }) => `Asking Copilot-LD: “${question}”`,
		run: async ({ question }, context) => {
			const runner = await openRunner(context);
			return answerOf(runner({ question, history: [], attachments: [] }, context.signal));
		},
	});
}

/** What a runner says, with its citations and its notices. */
export async function answerOf(events: AsyncIterable<AgentEvent>): Promise<string> {
	const words: string[] = [];
	const notices: string[] = [];
	for await (const event of events) {
		if (event.kind === "text") words.push(event.text);
		if (event.kind === "citation") words.push(formatCitation(event.citation));
		if (event.kind === "notice") notices.push(`Note: ${event.text}`);
	}
	return [words.join("").trim() || "The model gave no answer.", ...notices].join("\n\n");
}
