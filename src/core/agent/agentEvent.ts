import type { AgentDefinition, ChainLimits } from "./chain.ts";
import type { Stored } from "./chainSchema.ts";
import type { eventSchema } from "./eventSchema.ts";

export interface AgentRequest {
	readonly question: string;
	/** Earlier turns, oldest first. */
	readonly history: readonly Turn[];
	/** Session id; absent if the turn is not saved. */
	readonly session?: string;
	readonly instructions?: string;
	readonly attachments: readonly Attachment[];
	/** Path prefixes chosen by the user. Passages of files below these paths are searched first. */
	readonly sources?: readonly string[];
	/** Messages that the user adds during the turn; absent if the host cannot add messages. */
	readonly steering?: Steering;
	readonly images?: readonly Image[];
	/** The agent whose role the engine takes; absent in a turn without an agent. */
	readonly agent?: ActingAgent;
}

/** An agent whose role an engine takes. The agent's text is untrusted and never adds permissions. */
export interface ActingAgent {
	readonly name: string;
	readonly persona: string;
	/** Names of the allowed tools; absent if all tools are allowed. */
	readonly tools?: readonly string[];
	readonly step?: string;
}

export interface Steering {
	/** Declares that the engine accepts messages during the turn. `onSaid` is called for each new message. */
	listen(onSaid: () => void): Heard;
}

export interface Heard {
	/** Messages that the model has not received yet, oldest first. */
	words(): readonly string[];
	given(count: number): void;
}

export interface Attachment {
	readonly name: string;
	readonly text: string;
	/** Whether the editor attached the open file or the selection automatically. */
	readonly isImplicit?: boolean;
}

export type AgentEvent = Stored<typeof eventSchema>;

type EventOf<Kind> = Extract<AgentEvent, { readonly kind: Kind }>;

export type ToolCall = EventOf<"toolUpdated">["call"];
export type PlanStep = EventOf<"plan">["steps"][number];
export type ContextReport = EventOf<"context">["report"];
export type ContextPart = ContextReport["parts"][number];
export type ContextSection = ContextPart["section"];
export type QuotedFacts = NonNullable<EventOf<"ended">["quoted"]>;

/** An engine that answers a question: our own loop or the Copilot CLI. Yields `ended` last; throws on failure. */
export type Runner = (request: AgentRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;

export type Message =
	| { readonly role: "system"; readonly text: string }
	| { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
	| { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: "tool"; readonly callId: string; readonly text: string };

export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "thought"; readonly text: string }
	| { readonly kind: "toolCall"; readonly call: ToolCall }
	| {
			readonly kind: "notice";
			readonly text: string;
			/** Whether the answer is incomplete. */
			readonly isCut?: boolean;
	  }
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number }
	/** The finish reason as named by the model's protocol. */
	| { readonly kind: "finished"; readonly reason: string };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

export interface Turn {
	readonly question: string;
	readonly answer: string;
}

/** Joins consecutive user messages and consecutive system messages: many chat templates require alternating roles. */
export function joinMessages(messages: readonly Message[]): Message[] {
	const all: Message[] = [];
	for (const message of messages) {
		const last = all.at(-1);
		if (message.role === "user" && last?.role === "user") {
			const images = [...(last.images ?? []), ...(message.images ?? [])];
			all[all.length - 1] = { role: "user", text: `${last.text}\n\n${message.text}`, images };
		} else if (message.role === "system" && last?.role === "system")
			all[all.length - 1] = { role: "system", text: `${last.text}\n\n${message.text}` };
		else all.push(message);
	}
	return all;
}

/** Limits of a run and of everything that the run starts. A child run gets a part of its parent's scope. */
export interface RunScope {
	readonly limits: ChainLimits;
	/** Names of the allowed tools; absent if only permission rules restrict tools. */
	readonly tools?: readonly string[] | undefined;
	/** Names of the agents that the run may start; absent if the run may start every selectable agent. */
	readonly agents?: readonly string[] | undefined;
	readonly onSpent?: (tokens: number) => void;
	/** Receives the events of the run's steps and of chains that these steps start; absent if nothing is saved. */
	readonly onEvent?: (event: AgentEvent) => void;
}

export interface AskedStep {
	/** Unique within the chain. */
	readonly id: string;
	readonly agent: AgentDefinition;
	/** The complete prompt, including the answers of earlier steps. */
	readonly prompt: string;
	/** Limits of the step and of everything that the step starts. */
	readonly scope: RunScope;
}

export interface StepRequest extends AskedStep {
	/** Counted from 1. */
	readonly attempt: number;
}

/** Runs the steps of chains: as sessions of the Copilot CLI, or in our own loop. */
export interface StepRunner {
	/** Yields `ended` last; throws on failure. Events need no `step`. Aborting also stops all that the step started. */
	run(step: StepRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
