import * as z from "zod";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { Door } from "../../core/permission/permission.ts";
import type { Memory, Recollection } from "../../core/session/memory.ts";
import { defineTool, optional } from "../definition/defineTool.ts";

const DEFAULT_LIMIT = 8;

export interface MemoryPlace {
	readonly memory: Memory;
	/** URI of the window's first folder; empty if no folder is open. */
	workspace(): string;
}

const schema = z.object({
	query: z.string().min(1).describe("What to look for, in words that were used then."),
	limit: optional(z.int().min(1).max(30), `Memories to return; ${DEFAULT_LIMIT} if left out.`),
});

export function createRecallTool({ memory, workspace }: MemoryPlace, door: Door): Tool {
	return defineTool({
		name: "recall_memory",
		title: "Recall Memory",
		summary: "Recall what you asked to remember, and earlier sessions in this workspace.",
		description:
			"Recalls facts that the user asked to remember (preferences, decisions, names) and turns of earlier @copilot-ld conversations in this workspace, most relevant first, each with its date. Use it when the user refers to something said before, or when a preference may matter. It does not search documents: use search_knowledge for those. What it returns was said at that time and may be out of date.",
		schema,
		announce: ({ query }) => `Recalling “${query}”`,
		run: async ({ query, limit = DEFAULT_LIMIT }, { signal }) => {
			const found = await memory.recall({ query, limit, workspace: workspace(), door }, signal);
			const nothing = `Nothing is remembered about “${query}”. Try other words.`;
			// What an earlier answer cited is not shown again by repeating the answer.
			return uncited(found.map(describe).join("\n\n") || nothing);
		},
	});
}

function describe({ kind, text, at, session, fact }: Recollection): string {
	const day = new Date(at).toISOString().slice(0, 10);
	const { scope = "user" } = fact ?? {};
	const holder = scope === "user" ? "the user" : `this ${scope}`;
	if (kind === "fact") return `(remembered ${day}, for ${holder}) ${text}`;
	return `(said ${day}, in “${session?.title}”, turn ${(session?.turn ?? 0) + 1}) ${text}`;
}
