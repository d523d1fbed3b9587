import type {
	AgentRequest,
	Attachment,
	Message,
	ModelPart,
	ToolCall,
	Turn,
} from "../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../core/agent/tool.ts";
import type { SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { Recollection } from "../core/session/session.ts";
import type { AssetShelf } from "./assets/assetShelf.ts";
import type { Summary } from "./prompt/promptFacts.ts";

export interface AgentPorts extends LoopPorts {
	readonly tools: readonly ToolDeclaration[];
	/** Resolves with what the model shall read. Rejects when the tool failed, or the person cancelled it. */
	runTool(call: ToolCall, signal: AbortSignal): Promise<string>;
}

/** What the loop needs besides tools. */
export interface LoopPorts {
	readonly model: Model;
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
	/** What is remembered and has to do with a question, best first; absent where nothing is remembered. */
	recall?(
		request: Pick<AgentRequest, "question" | "session">,
		signal: AbortSignal,
	): Promise<readonly Recollection[]>;
	/** What a long conversation that goes on with these turns was about; absent where nothing is summarized. */
	summaryOf?(history: readonly Turn[]): Summary | undefined;
	/** What tools gave earlier in the session; absent where results are kept for a turn only. */
	readonly assets?: AssetShelf;
	/** Whether a tool gives the same for the same input within a turn; no tool does where it is left out. */
	isSteady?(tool: string): boolean;
	/** What the person wants of every answer here; absent where nothing is. */
	readInstructions?(): Promise<Instructions>;
	/** Names of the folders that are searched, for the prompt. */
	readonly folderNames: readonly string[];
	/** How often the model may ask for tools before it must answer. */
	readonly maxRounds: number;
}

/** What a person wrote down for every answer, in files of the workspace. */
export interface Instructions {
	readonly texts: readonly Attachment[];
	readonly notices: readonly string[];
}

export interface Model {
	/** What its provider calls it, and who that is. */
	readonly named?: { readonly model: string; readonly provider: string };
	/** Tokens of a request, without the answer. */
	readonly maxInputTokens: number;
	/** Whether it may be given images; unsaid, it may not. */
	readonly canSeeImages?: boolean;
	/** Throws what the model's provider throws. */
	respond(
		messages: readonly Message[],
		tools: readonly ToolDeclaration[],
		signal: AbortSignal,
	): AsyncIterable<ModelPart>;
	/** Tokens of a text, by the model's own count. A text that was counted once costs nothing. */
	countTokens(text: string, signal: AbortSignal): Promise<number>;
}

export async function complete(
	model: Model,
	messages: readonly Message[],
	signal: AbortSignal,
): Promise<string> {
	let text = "";
	for await (const part of model.respond(messages, [], signal)) if (part.kind === "text") text += part.text;
	return text;
}
