import type { AgentRequest, Attachment, ToolCall } from "../../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../../core/agent/tool.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import type { Recollection } from "../../core/session/session.ts";

/** One time that the model called tools, and what they said. */
export interface ToolRound {
	/** What the model wrote beside the calls. */
	readonly text: string;
	readonly calls: readonly ToolCall[];
	/** One for each call, in their order. */
	readonly outcomes: readonly string[];
}

/** A summary of the beginning of a conversation. The turns themselves are kept. */
export interface Summary {
	/** How many turns from the first on it speaks of. */
	readonly turns: number;
	readonly text: string;
}

export interface PromptFacts {
	readonly request: AgentRequest;
	readonly instructions: readonly Attachment[];
	readonly hits: readonly Hit[];
	/** What the graph counted or listed for the question, in words. */
	readonly listing?: string | undefined;
	readonly summary?: Summary | undefined;
	/** What is remembered and may have to do with the question, best first. */
	readonly recollections: readonly Recollection[];
	readonly rounds: readonly ToolRound[];
	readonly tools: readonly ToolDeclaration[];
	readonly folderNames: readonly string[];
}
