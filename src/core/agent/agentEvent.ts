import type { AgentDefinition, ChainLimits } from "./chain.ts";
import type { Stored } from "./chainSchema.ts";
import type { eventSchema } from "./eventSchema.ts";

export interface AgentRequest {
	readonly question: string;
	/** Oldest first. */
	readonly history: readonly Turn[];
	/** The id of the session that it is a turn of; absent if nothing is kept. */
	readonly session?: string;
	readonly instructions?: string;
	readonly attachments: readonly Attachment[];
	/** Path prefixes that the user pointed at; passages below them are searched first. */
	readonly sources?: readonly string[];
	/** Lets the user speak into a turn in progress; absent if they cannot. */
	readonly steering?: Steering;
	readonly images?: readonly Image[];
	/** Whom the engine shall be for this turn; absent if it is itself. */
	readonly agent?: ActingAgent;
}

/** An agent that an engine acts as. Its words are untrusted: they never widen what it may do. */
export interface ActingAgent {
	readonly name: string;
	readonly persona: string;
	/** Names of the tools that it may use; absent if it may use all that there are. */
	readonly tools?: readonly string[];
	readonly step?: string;
}

export interface Steering {
	/** An engine that can take words along does so from now on; `onSaid` is called when there are new ones. */
	listen(onSaid: () => void): Heard;
}

export interface Heard {
	/** What the model was not given yet, in order. */
	words(): readonly string[];
	given(count: number): void;
}

export interface Attachment {
	readonly name: string;
	readonly text: string;
	/** Whether it is open or selected in the editor and was attached automatically. */
	readonly isImplicit?: boolean;
}

/** What the user sees of a turn, in order. */
export type AgentEvent = Stored<typeof eventSchema>;

type EventOf<Kind> = Extract<AgentEvent, { readonly kind: Kind }>;

export type ToolCall = EventOf<"toolUpdated">["call"];
export type PlanStep = EventOf<"plan">["steps"][number];
export type ContextReport = EventOf<"context">["report"];
export type ContextPart = ContextReport["parts"][number];
export type ContextSection = ContextPart["section"];
export type QuotedFacts = NonNullable<EventOf<"ended">["quoted"]>;

/** Anything that answers: our loop, or the Copilot CLI. Ends with `ended`, or throws. */
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
	/** What the user must know to judge the answer. */
	| {
			readonly kind: "notice";
			readonly text: string;
			/** Whether the answer ends before its end. */
			readonly isCut?: boolean;
	  }
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number }
	/** Why the answer ended, in the words of the protocol. */
	| { readonly kind: "finished"; readonly reason: string };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

/** A question and its answer; `historyTurn` says what of an answer later models get. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}

/** Messages of one speaker that follow each other become one: the templates of many models want turns. */
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

/** What a run, and everything that it starts, must stay within. What it starts gets a part of it, never more. */
export interface RunScope {
	readonly limits: ChainLimits;
	/** Names of the tools that may be used; absent if the rules alone decide. */
	readonly tools?: readonly string[] | undefined;
	/** Names of the agents that may be started; absent if all may that can be chosen. */
	readonly agents?: readonly string[] | undefined;
	readonly onSpent?: (tokens: number) => void;
	/** Gets the events of its steps and of the chains they start; absent if nothing is kept. */
	readonly onEvent?: (event: AgentEvent) => void;
}

export interface AskedStep {
	/** Unique within the chain. */
	readonly id: string;
	readonly agent: AgentDefinition;
	/** The whole prompt, including the answers of earlier steps. */
	readonly prompt: string;
	/** `scope.tools` are the tools that the step may use; whatever it starts gets this scope. */
	readonly scope: RunScope;
}

export interface StepRequest extends AskedStep {
	/** From 1. */
	readonly attempt: number;
}

/** Runs the steps of chains: as sessions of the Copilot CLI, or in our own loop. */
export interface StepRunner {
	/** Ends with `ended`, or throws. The events need no `step`. Aborting the signal stops all that the step began. */
	run(step: StepRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
