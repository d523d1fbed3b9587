import type { Attachment } from "./agentEvent.ts";

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
	/** Why it may not be, in words for the model and the person; absent if it may. */
	readonly denial?: string;
	/** Untrusted data. */
	readonly context: readonly Attachment[];
	/** For the person. */
	readonly notices: readonly string[];
}
