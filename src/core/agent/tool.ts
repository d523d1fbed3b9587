import type { CallArgument } from "../permission/permission.ts";
import type { AgentRequest, Attachment, Runner, RunScope, StepRequest } from "./agentEvent.ts";
import { mayStartAgents } from "./allowedTools.ts";
import type { ToolDeclaration } from "./toolDeclaration.ts";

/** One of our tools: defined once, offered in every channel. */
export interface Tool extends ToolDeclaration {
	/** The name in tool pickers. `summary` explains the tool to the user in one sentence. */
	readonly title: string;
	readonly summary: string;
	/** JSON Schema of the structured result; absent if the result is text only. */
	readonly outputSchema?: object;
	/** Defaults to false. */
	readonly isReadOnly?: boolean;
	/** Progress message for the chat, without a period or ellipsis. */
	announce(input: unknown): string;
	/** Describes a call for the permission rules. Without this method, a call mutates unless the tool is read-only. */
	permission?(input: unknown): CallNature | Promise<CallNature>;
	/** Fixes the definition of a file-defined tool: permission is decided for this version, and this version runs. */
	pinned?(input: unknown, signal: AbortSignal): Promise<PinnedTool>;
	/** Rejects with a `Failure` whose message advises the model. The input is untrusted. */
	run(input: unknown, call: ToolContext): Promise<ToolResult>;
}

export interface PinnedTool extends Tool {
	readonly definition: string;
}

type MaybePinned = Tool & Partial<PinnedTool>;

/** Decides whether a call may run. Rejects with a `Failure` that explains the denial to the model. */
export type Admit = (tool: MaybePinned, input: unknown, call: ToolContext) => Promise<void>;

export async function pinnedFor(tool: Tool, input: unknown, signal: AbortSignal): Promise<MaybePinned> {
	return (await tool.pinned?.(input, signal)) ?? tool;
}

export interface ToolResult {
	/** The result for models and users. */
	readonly text: string;
	/** The result for programs, as declared in `outputSchema`. */
	readonly structured?: object;
}

export interface CallNature {
	/** Tool name for the permission rules, if different from the tool's own name. */
	readonly tool?: string;
	/** Names of our tools that do the work. Permission rules for these tools also apply to this call. */
	readonly uses?: readonly string[];
	/** Whether the call may change something, send data or cause costs. */
	readonly mutates: boolean;
	/** Arguments that rules can match. Paths may be relative to the window's first folder. */
	readonly arguments: readonly CallArgument[];
	/** Input for code that is not ours. Rules apply to everything that this input names. */
	readonly handsOn?: unknown;
	readonly title: string;
}

/** A plugin's requirements for the engine that answers its prompts. */
export interface RunnerWish {
	/** Tools that the engine may call in addition to ours. */
	readonly commands?: readonly Tool[];
	/** Name of a language model; any available model if omitted. */
	readonly model?: string;
}

export interface ToolContext {
	readonly signal: AbortSignal;
	/** The host's handle of the chat request that the call belongs to; absent outside of chats. */
	readonly origin?: unknown;
	/** Limits of everything that the call starts; absent outside of chains. */
	readonly scope?: RunScope;
	/** Names of plugin copilots that wait for this call, outermost first. */
	readonly asking?: readonly string[];
	readonly report?: (text: string) => void;
}

/** Hooks that run automatically around a turn. Hooks may add data or deny a call, but never grant permissions. */
export interface TurnHooks {
	/** Runs before a question is sent to a model. */
	prompt(asked: HookedPrompt, signal: AbortSignal): Promise<HookSaid>;
	before(call: HookedToolCall, signal: AbortSignal): Promise<HookSaid>;
	/** Runs before the model reads a call's result. */
	after(call: HookedToolCall & { readonly result: string }, signal: AbortSignal): Promise<HookSaid>;
	/** Runs after the turn and cannot refuse anything. */
	end(asked: HookedPrompt, signal: AbortSignal): Promise<HookSaid>;
}

interface HookedPrompt {
	readonly question: string;
	/** Absent if the turn is not saved. */
	readonly session?: string;
}

interface HookedToolCall {
	readonly tool: string;
	readonly input: unknown;
}

export interface HookSaid {
	/** Reason for a denial, for the model and the user; absent if the call is allowed. */
	readonly denial?: string;
	/** Untrusted data for the prompt. */
	readonly context: readonly Attachment[];
	readonly notices: readonly string[];
}

export interface EngineStep {
	readonly session: string;
	readonly chain: string;
	readonly request: StepRequest;
}

/** An engine for chain steps. Each runner serves one step and leaves no state behind. */
export interface StepEngine {
	readonly kind: "cli" | "model";
	runnerFor(step: EngineStep): Runner;
}

export function requestOf({ session, request: { id, agent, prompt, scope } }: EngineStep): AgentRequest {
	const { tools: all, limits } = scope;
	// At depth 0, the step may not start other agents.
	const tools = limits.depth > 0 ? all : all?.filter((tool) => !mayStartAgents([tool]));
	return {
		question: prompt,
		history: [],
		session,
		attachments: [],
		agent: { name: agent.name, persona: agent.persona, step: id, ...(tools && { tools }) },
	};
}

export interface StepGrant {
	readonly chain: string;
	readonly agent: string;
	readonly scope: RunScope;
}
