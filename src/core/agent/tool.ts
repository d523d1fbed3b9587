import type { CallArgument } from "../permission/permission.ts";
import type { AgentRequest, Attachment, Runner, RunScope, StepRequest } from "./agentEvent.ts";
import { mayStartAgents } from "./allowedTools.ts";
import type { ToolDeclaration } from "./toolDeclaration.ts";

/** A tool of ours: described once, offered at every door. */
export interface Tool extends ToolDeclaration {
	/** For people: the name in pickers, and what it is good for in one sentence. */
	readonly title: string;
	readonly summary: string;
	/** JSON Schema of what programs get besides the text; absent if the text is all. */
	readonly outputSchema?: object;
	/** Whether it changes nothing. Unsaid, it may. */
	readonly isReadOnly?: boolean;
	/** What the chat shows while it runs, without dots at the end. */
	announce(input: unknown): string;
	/** What a call would do, for the rules of permission. Unsaid, it may change something unless the tool is read-only. */
	permission?(input: unknown): CallNature | Promise<CallNature>;
	/** The call as files define it now; absent if none does. Decided about and run as pinned, even if the files change. */
	pinned?(input: unknown, signal: AbortSignal): Promise<PinnedTool>;
	/** Rejects with a `Failure` whose words tell the model what to do instead. The input is not trusted. */
	run(input: unknown, call: ToolContext): Promise<ToolResult>;
}

export interface PinnedTool extends Tool {
	readonly definition: string;
}

type MaybePinned = Tool & Partial<PinnedTool>;

/** Decides on a call of a tool as it is pinned. Rejects with a `Failure` whose words tell the model why it may not be. */
export type Admit = (tool: MaybePinned, input: unknown, call: ToolContext) => Promise<void>;

export async function pinnedFor(tool: Tool, input: unknown, signal: AbortSignal): Promise<MaybePinned> {
	return (await tool.pinned?.(input, signal)) ?? tool;
}

export interface ToolResult {
	/** For models and people. */
	readonly text: string;
	/** The same for programs, as `outputSchema` says. */
	readonly structured?: object;
}

export interface CallNature {
	/** Its name in rules, if that differs from the tool's name. */
	readonly tool?: string;
	/** Tools of ours that do its work: what rules hold of them, they hold of it. */
	readonly uses?: readonly string[];
	/** Whether it may change something, send something away or cost something. */
	readonly mutates: boolean;
	/** What rules can speak of; a path may be relative to the folder of the window. */
	readonly arguments: readonly CallArgument[];
	/** Input that is passed on to something that is not ours; rules apply to everything it names. */
	readonly handsOn?: unknown;
	/** What the call does, for the user who is asked to allow it. */
	readonly title: string;
}

/** What an engine is wanted for that answers a plugin. */
export interface RunnerWish {
	/** What it may call besides our own tools. */
	readonly commands?: readonly Tool[];
	/** The name of a language model; any that there is if omitted. */
	readonly model?: string;
}

export interface ToolContext {
	readonly signal: AbortSignal;
	/** The chat request that the call belongs to, in the words of the host; absent outside of a chat. */
	readonly origin?: unknown;
	/** What a step of a chain may start; absent for calls outside of a chain. */
	readonly scope?: RunScope;
	/** Copilots of plugins that wait for the call, the outermost first; absent if none does. */
	readonly asking?: readonly string[];
	readonly report?: (text: string) => void;
}

/** What runs around a turn by itself: it may add data or refuse, and never allows what is refused elsewhere. */
export interface TurnHooks {
	/** Before a question goes to a model. */
	prompt(asked: HookedPrompt, signal: AbortSignal): Promise<HookSaid>;
	before(call: HookedToolCall, signal: AbortSignal): Promise<HookSaid>;
	/** Before the model reads what a call gave. */
	after(call: HookedToolCall & { readonly result: string }, signal: AbortSignal): Promise<HookSaid>;
	/** After the turn; it has nothing to refuse. */
	end(asked: HookedPrompt, signal: AbortSignal): Promise<HookSaid>;
}

interface HookedPrompt {
	readonly question: string;
	/** Absent if nothing is kept. */
	readonly session?: string;
}

interface HookedToolCall {
	readonly tool: string;
	readonly input: unknown;
}

export interface HookSaid {
	/** Why the call is refused, for the model and the user; absent if it is allowed. */
	readonly denial?: string;
	/** Untrusted data. */
	readonly context: readonly Attachment[];
	/** Shown to the user. */
	readonly notices: readonly string[];
}

export interface EngineStep {
	readonly session: string;
	readonly chain: string;
	readonly request: StepRequest;
}

/** What steps run on. A runner is for one step, and leaves nothing behind of it. */
export interface StepEngine {
	readonly kind: "cli" | "model";
	runnerFor(step: EngineStep): Runner;
}

export function requestOf({ session, request: { id, agent, prompt, scope } }: EngineStep): AgentRequest {
	const { tools: all, limits } = scope;
	// At the lowest level, nothing is started any more.
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
	/** Rules of permission for the chain apply in its steps. */
	readonly chain: string;
	readonly agent: string;
	readonly scope: RunScope;
}
