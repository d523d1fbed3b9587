import * as z from "zod";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { Channel } from "../../core/permission/permission.ts";
import type { Memory, Recollection, Remembered } from "../../core/session/memory.ts";
import { defineTool, optional } from "../definition/defineTool.ts";

const DEFAULT_LIMIT = 8;

export interface MemoryPlace {
	readonly memory: Memory;
	/** URI of the window's first folder; empty if no folder is open. */
	workspace(): string;
}

const recallSchema = z.object({
	query: z.string().min(1).describe("What to look for, in words that were used then."),
	limit: optional(z.int().min(1).max(30), `Memories to return; ${DEFAULT_LIMIT} if left out.`),
});

export function createRecallTool({ memory, workspace }: MemoryPlace, channel: Channel): Tool {
	return defineTool({
		name: "recall_memory",
		title: "Recall Memory",
		summary: "Recall what you asked to remember, and earlier sessions in this workspace.",
		description:
			"Recalls facts that the user asked to remember (preferences, decisions, names) and turns of earlier @copilot-ld conversations in this workspace, most relevant first, each with its date. Use it when the user refers to something said before, or when a preference may matter. It does not search documents: use search_knowledge for those. What it returns was said at that time and may be out of date.",
		schema: recallSchema,
		announce: ({ query }) => `Recalling “${query}”`,
		run: async ({ query, limit = DEFAULT_LIMIT }, { signal }) => {
			const found = await memory.recall({ query, limit, workspace: workspace(), channel }, signal);
			const nothing = `Nothing is remembered about “${query}”. Try other words.`;
			// A model may cite only lines that it saw in this turn, so recalled answers lose their citations.
			return uncited(found.map(recalled).join("\n\n") || nothing);
		},
	});
}

function recalled({ kind, text, at, session, fact }: Recollection): string {
	const day = new Date(at).toISOString().slice(0, 10);
	const { scope = "user" } = fact ?? {};
	const holder = scope === "user" ? "the user" : `this ${scope}`;
	if (kind === "fact") return `(remembered ${day}, for ${holder}) ${text}`;
	return `(said ${day}, in “${session?.title}”, turn ${(session?.turn ?? 0) + 1}) ${text}`;
}

const rememberSchema = z.object({
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
		schema: rememberSchema,
		announce: ({ text }) => `Remembering “${text}”`,
		permission: ({ text, scope }) => ({
			title: `Remember ${scope === "user" ? "about you" : "for this workspace"}: “${text}”`,
		}),
		run: async ({ text, scope = "workspace" }, { signal }) => {
			const owner = scope === "workspace" ? { owner: workspace() } : {};
			const source = { by: "model" } as const;
			return uncited(remembered(await memory.remember({ text, scope, ...owner, source }, signal)));
		},
	});
}

function remembered({ fact, isNew, contradicts }: Remembered): string {
	const first = isNew ? `Remembered: ${fact.text}` : `That is remembered already: ${fact.text}`;
	if (contradicts.length === 0) return first;
	const others = contradicts.map(({ text }) => `- ${text}`).join("\n");
	return `${first}\n\nIt seems to disagree with these; ask the user which is true:\n${others}`;
}
