import type { AgentDefinition, ChainLimits } from "./chain.ts";
import type { Stored } from "./chainSchema.ts";
import type { eventSchema } from "./eventSchema.ts";

export interface AgentRequest {
	readonly question: string;
	/** Oldest first. */
	readonly history: readonly Turn[];
	/** The id of the turn's session; absent if nothing is saved. */
	readonly session?: string;
	readonly instructions?: string;
	readonly attachments: readonly Attachment[];
	/** Path prefixes that the user pointed at; passages below them are searched first. */
	readonly sources?: readonly string[];
	/** Lets the user add messages to a running turn; absent if they cannot. */
	readonly steering?: Steering;
	readonly images?: readonly Image[];
	/** The agent that the engine acts as in this turn; absent if it acts as itself. */
	readonly agent?: ActingAgent;
}

/** An agent that an engine acts as. Its text is untrusted and never adds permissions. */
export interface ActingAgent {
	readonly name: string;
	readonly persona: string;
	/** Names of the tools that the agent may use; absent if it may use all tools. */
	readonly tools?: readonly string[];
	readonly step?: string;
}

export interface Steering {
	/** Declares that the engine can take messages during a turn. `onSaid` is called for each new message. */
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
	/** Whether it was attached automatically because it is open or selected in the editor. */
	readonly isImplicit?: boolean;
}

/** An event of a turn that is shown to the user. */
export type AgentEvent = Stored<typeof eventSchema>;

type EventOf<Kind> = Extract<AgentEvent, { readonly kind: Kind }>;

export type ToolCall = EventOf<"toolUpdated">["call"];
export type PlanStep = EventOf<"plan">["steps"][number];
export type ContextReport = EventOf<"context">["report"];
export type ContextPart = ContextReport["parts"][number];
export type ContextSection = ContextPart["section"];
export type QuotedFacts = NonNullable<EventOf<"ended">["quoted"]>;

/** An engine that answers: our loop or the Copilot CLI. Ends with `ended`, or throws. */
export type Runner = (request: AgentRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;

export type Message =
	| { readonly role: "system"; readonly text: string }
	| { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
	| { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: "tool"; readonly callId: string; readonly text: string };

export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	/** The model's reasoning, which is not part of the answer. */
	| { readonly kind: "thought"; readonly text: string }
	| { readonly kind: "toolCall"; readonly call: ToolCall }
	/** A warning that the user needs to judge the answer. */
	| {
			readonly kind: "notice";
			readonly text: string;
			/** Whether the answer is incomplete. */
			readonly isCut?: boolean;
	  }
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number }
	/** The finish reason, as the model's protocol names it. */
	| { readonly kind: "finished"; readonly reason: string };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

/** A question and its answer. `historyTurn` selects the part of the answer that later models receive. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}

/** Joins consecutive messages of one role: the chat templates of many models require alternating roles. */
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

/** Limits of a run and everything that it starts. A child gets a part of its parent's scope. */
export interface RunScope {
	readonly limits: ChainLimits;
	/** Names of the tools that may be used; absent if the rules alone decide. */
	readonly tools?: readonly string[] | undefined;
	/** Names of the agents that may be started; absent if every selectable agent may be. */
	readonly agents?: readonly string[] | undefined;
	readonly onSpent?: (tokens: number) => void;
	/** Receives the events of the run's steps and of the chains they start; absent if nothing is saved. */
	readonly onEvent?: (event: AgentEvent) => void;
}

export interface AskedStep {
	/** Unique within the chain. */
	readonly id: string;
	readonly agent: AgentDefinition;
	/** The whole prompt, including the answers of earlier steps. */
	readonly prompt: string;
	/** `scope.tools` lists the tools that the step may use; whatever the step starts gets this scope. */
	readonly scope: RunScope;
}

export interface StepRequest extends AskedStep {
	/** Counted from 1. */
	readonly attempt: number;
}

/** Runs the steps of chains: as sessions of the Copilot CLI, or in our own loop. */
export interface StepRunner {
	/** Ends with `ended`, or throws. Events need no `step`. Aborting also stops whatever the step started. */
	run(step: StepRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
