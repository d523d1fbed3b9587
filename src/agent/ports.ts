import type {
	AgentRequest,
	Attachment,
	Message,
	ModelPart,
	ToolCall,
	Turn,
} from "../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../core/agent/toolDeclaration.ts";
import { answerIn } from "../core/agent/turnAnswer.ts";
import type { SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { Recollection } from "../core/session/memory.ts";
import type { AssetShelf } from "./assets/assetShelf.ts";
import type { Summary } from "./prompt/promptFacts.ts";

export interface ToolPorts {
	readonly tools: readonly ToolDeclaration[];
	/** Resolves to the text for the model. Rejects if the tool failed, or the user cancelled it. */
	runTool(call: ToolCall, signal: AbortSignal): Promise<string>;
	/** Whether a tool gives the same result for the same input within a turn; if omitted, no tool does. */
	isSteady?(tool: string): boolean;
}

export interface AgentPorts extends LoopPorts, ToolPorts {}

export interface LoopPorts {
	readonly model: Model;
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
	/** Memories that are relevant to a question, best first; absent if nothing is remembered. */
	recall?(request: AgentRequest, signal: AbortSignal): Promise<readonly Recollection[]>;
	/** A summary of the long conversation that these turns continue; absent if nothing is summarized. */
	summaryOf?(history: readonly Turn[]): Summary | undefined;
	/** Earlier tool results of the session; absent if results are kept for a turn only. */
	readonly assets?: AssetShelf;
	/** The user's instructions for every answer here, and for one about these paths; absent if there cannot be any. */
	readInstructions?(files: readonly string[]): Promise<Instructions>;
	readonly folderNames: readonly string[];
	/** How often the model may ask for tools before it must answer. */
	readonly maxRounds: number;
}

export interface Instructions {
	readonly texts: readonly Attachment[];
	readonly notices: readonly string[];
}

export interface ModelWindow {
	/** Tokens of a request, without the answer. */
	readonly maxInputTokens: number;
	/** Tokens of a text, by the model's own count. A text that was counted once costs nothing. */
	countTokens(text: string, signal: AbortSignal): Promise<number>;
}

export interface Model extends ModelWindow {
	/** What its provider calls it, and who that is. */
	readonly named?: {
		readonly model: string;
		readonly provider: string;
		/** The host of its server, if that is known. */
		readonly address?: string;
		readonly port?: number;
	};
	/** Whether it may be given images; unsaid, it may not. */
	readonly canSeeImages?: boolean;
	/** Throws what the model's provider throws. */
	respond(
		messages: readonly Message[],
		tools: readonly ToolDeclaration[],
		signal: AbortSignal,
	): AsyncIterable<ModelPart>;
}

export function instructed(instructions: string, question: string): Message[] {
	return [
		{ role: "system", text: instructions },
		{ role: "user", text: question },
	];
}

export async function complete(model: Model, messages: readonly Message[], signal: AbortSignal) {
	let text = "";
	for await (const part of model.respond(messages, [], signal)) if (part.kind === "text") text += part.text;
	return answerIn(text);
}
