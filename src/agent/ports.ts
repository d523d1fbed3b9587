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
import type { AssetShelf } from "./assets/assets.ts";
import type { Summary } from "./prompt/promptFacts.ts";

export interface ToolPorts {
	readonly tools: readonly ToolDeclaration[];
	/** Resolves with the text for the model. Rejects if the tool failed, or if the user canceled the call. */
	runTool(call: ToolCall, signal: AbortSignal): Promise<string>;
	/** Whether a tool returns the same result for the same input within a turn; by default, no tool does. */
	isSteady?(tool: string): boolean;
}

export interface AgentPorts extends LoopPorts, ToolPorts {}

export interface LoopPorts {
	readonly model: Model;
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
	/** Returns memories relevant to a question, best first; missing if there is no memory. */
	recall?(request: AgentRequest, signal: AbortSignal): Promise<readonly Recollection[]>;
	/** Returns the summary of a long conversation; missing if conversations are not summarized. */
	summaryOf?(history: readonly Turn[]): Summary | undefined;
	readonly assets?: AssetShelf;
	/** Reads the user's instructions, including those for these paths; missing if there can be no instructions. */
	readInstructions?(files: readonly string[]): Promise<Instructions>;
	readonly folderNames: readonly string[];
	readonly maxRounds: number;
}

export interface Instructions {
	readonly texts: readonly Attachment[];
	readonly notices: readonly string[];
}

export interface ModelWindow {
	/** Maximum number of tokens of a request, without the answer. */
	readonly maxInputTokens: number;
	/** Counts tokens as the model does. Counting the same text again costs nothing. */
	countTokens(text: string, signal: AbortSignal): Promise<number>;
}

export interface Model extends ModelWindow {
	readonly named?: {
		readonly model: string;
		readonly provider: string;
		readonly address?: string;
		readonly port?: number;
	};
	/** Whether the model accepts images; by default, it does not. */
	readonly canSeeImages?: boolean;
	/** Streams the model's answer. Throws the provider's errors unchanged. */
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
