import type { Citation } from "./citation.ts";
import type { ContextReport } from "./contextReport.ts";
import type { Hit } from "./knowledge.ts";
import type { ToolCall, Turn } from "./message.ts";

export interface AgentRequest {
	readonly question: string;
	/** Oldest first. */
	readonly history: readonly Turn[];
	/** What the person attached: a file, a selection. */
	readonly attachments: readonly Attachment[];
}

export interface Attachment {
	readonly name: string;
	readonly text: string;
}

/** What a person sees of a turn, in order. */
export type AgentEvent =
	| { readonly kind: "progress"; readonly text: string }
	| { readonly kind: "notice"; readonly text: string }
	/** What the first search gave, best first. */
	| { readonly kind: "retrieved"; readonly hits: readonly Hit[] }
	| { readonly kind: "text"; readonly text: string }
	/** Stands in the text where the model cited; it was shown to the model. */
	| { readonly kind: "citation"; readonly citation: Citation }
	| { readonly kind: "toolStarted"; readonly call: ToolCall }
	| { readonly kind: "toolFinished"; readonly call: ToolCall; readonly ok: boolean; readonly text: string }
	/** What a model thinks before it answers. */
	| { readonly kind: "thought"; readonly text: string }
	/** Whether a call was allowed, and by whom. */
	| {
			readonly kind: "permission";
			readonly tool: string;
			readonly title: string;
			readonly effect: "allow" | "deny";
			readonly by: "rule" | "person" | "default";
	  }
	/** What the model is given in the request that now begins. */
	| { readonly kind: "context"; readonly report: ContextReport }
	/** What the model read and wrote in one request. */
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number }
	| { readonly kind: "ended"; readonly reason: "done" | "roundLimit" };

/** Anything that answers: our loop, or the Copilot CLI. Ends with `ended`, or throws. */
export type Runner = (request: AgentRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;
