import * as z from "zod";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { Remembered } from "../../core/session/memory.ts";
import { defineTool, optional } from "../definition/defineTool.ts";
import type { MemoryPlace } from "./recallMemory.ts";

const schema = z.object({
	text: z
		.string()
		.min(1)
		.max(2000)
		.describe("One fact in a sentence that can be understood without the conversation."),
	scope: optional(
		z.enum(["workspace", "user"]),
		"workspace: it holds for this project; user: for everything that this person does. workspace if left out.",
	),
});

export function createRememberTool({ memory, workspace }: MemoryPlace): Tool {
	return defineTool({
		name: "remember",
		title: "Remember",
		summary: "Remember a fact for later sessions, after you agree.",
		description:
			"Remembers one fact for later conversations: a preference, a decision, a name, how something is done here. The user is shown the text and asked first. Use it when the user says that something is to be remembered, or states a lasting preference. Not for what the documents say, not for secrets or personal data of others, and not for the state of the current task. Says when the same is remembered already, and what seems to contradict it.",
		schema,
		announce: ({ text }) => `Remembering “${text}”`,
		permission: ({ text, scope }) => ({
			mutates: true,
			arguments: [],
			title: `Remember ${scope === "user" ? "about you" : "for this workspace"}: “${text}”`,
		}),
		run: async ({ text, scope = "workspace" }, { signal }) => {
			const owner = scope === "workspace" ? { owner: workspace() } : {};
			const source = { by: "model" } as const;
			return uncited(describe(await memory.remember({ text, scope, ...owner, source }, signal)));
		},
	});
}

function describe({ fact, isNew, contradicts }: Remembered): string {
	const first = isNew ? `Remembered: ${fact.text}` : `That is remembered already: ${fact.text}`;
	if (contradicts.length === 0) return first;
	const others = contradicts.map(({ text }) => `- ${text}`).join("\n");
	return `${first}\n\nIt seems to disagree with these; ask the user which is true:\n${others}`;
}
