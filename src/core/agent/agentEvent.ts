import type { Citation } from "../knowledge/citation.ts";
import type { Hit } from "../knowledge/knowledge.ts";
import type { AgentDefinition, Chain, ChainLimits, StepOutcome, StepSpent, Task } from "./chain.ts";

export interface AgentRequest {
	readonly question: string;
	/** Oldest first. */
	readonly history: readonly Turn[];
	/** The id of the session that it is a turn of; absent if nothing is kept. */
	readonly session?: string;
	/** The user's instructions for every answer of the session. */
	readonly instructions?: string;
	readonly attachments: readonly Attachment[];
	/** Path prefixes that the user pointed at; passages below them are searched first. */
	readonly sources?: readonly string[];
	/** Lets the user speak into a turn in progress; absent if they cannot. */
	readonly steering?: Steering;
	/** For engines whose models see. */
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
	/** Marks the first `count` of them as given to the model. */
	given(count: number): void;
}

export interface Attachment {
	readonly name: string;
	readonly text: string;
	/** Whether it is open or selected in the editor and was attached automatically. */
	readonly isImplicit?: boolean;
}

export interface PlanStep {
	readonly title: string;
	readonly status: "pending" | "running" | "done" | "blocked";
}

/** What the user sees of a turn, in order. */
export type AgentEvent = EventBody & {
	/** The step of a chain that it happened in; absent outside of one. */
	readonly step?: string;
	/** The plugin call that the event belongs to; absent for the turn's own events. */
	readonly within?: string;
};

/** Facts for programs about an answer that no model wrote. */
export interface QuotedFacts {
	readonly kind: "answer" | "list" | "count" | "overview" | "nothing";
	/** Labels of a list or a count. */
	readonly items: readonly string[];
	/** Whether nothing is missing: all files were read, no policy applies, and the list has all its items. */
	readonly isComplete: boolean;
}

type EventBody =
	| { readonly kind: "progress"; readonly text: string }
	| { readonly kind: "notice"; readonly text: string }
	/** What the first search gave, best first. */
	| {
			readonly kind: "retrieved";
			readonly hits: readonly Hit[];
			/** Whether the model was given nothing else at first: no listing, no way through the graph, no memory. */
			readonly isAll?: boolean;
	  }
	| { readonly kind: "text"; readonly text: string }
	/** At the position in the text of a citation by the model; the cited lines were shown to the model. */
	| { readonly kind: "citation"; readonly citation: Citation }
	/** `title` describes the call for the user. */
	| { readonly kind: "toolStarted"; readonly call: ToolCall; readonly title?: string }
	/** The whole output of a call so far; replaces the output shown before. */
	| { readonly kind: "toolUpdated"; readonly call: ToolCall; readonly text: string }
	| {
			readonly kind: "toolFinished";
			readonly call: ToolCall;
			readonly ok: boolean;
			readonly text: string;
			/** Set if a command ran to its end. */
			readonly exitCode?: number;
	  }
	/** What a call changes in a file; the texts are the lines around the change. */
	| {
			readonly kind: "diff";
			readonly callId: string;
			/** Absolute. */
			readonly path: string;
			/** Empty for a new file. */
			readonly oldText: string;
			readonly newText: string;
	  }
	/** The current plan; replaces the one before. */
	| { readonly kind: "plan"; readonly steps: readonly PlanStep[]; readonly text: string }
	| { readonly kind: "thought"; readonly text: string }
	| {
			readonly kind: "permission";
			readonly tool: string;
			readonly title: string;
			readonly effect: "allow" | "deny";
			readonly by: "rule" | "person" | "host" | "default";
	  }
	| { readonly kind: "context"; readonly report: ContextReport }
	/** Tokens of one request; estimated by us if its server did not count. */
	| {
			readonly kind: "usage";
			readonly inputTokens: number;
			readonly outputTokens: number;
			readonly isEstimate?: boolean;
	  }
	/** How much of the model's window is taken. */
	| { readonly kind: "window"; readonly usedTokens: number; readonly maxTokens: number }
	/** A chain is about to run. If the user or a condition changed it, the event replaces the one before. */
	| {
			readonly kind: "chain";
			readonly chain: Chain;
			readonly task?: Task;
	  }
	/** A step of a chain begins; its own events carry its id. Told again, with the same `attempt`, once its session is known. */
	| {
			readonly kind: "stepStarted";
			readonly agent: string;
			readonly session?: string;
			/** From 1; 2 for a retry. */
			readonly attempt: number;
			/** What it received. */
			readonly prompt?: string;
	  }
	| {
			readonly kind: "stepFinished";
			readonly agent: string;
			readonly outcome: StepOutcome;
			readonly text: string;
			readonly citations?: readonly Citation[];
			/** Paths that it looked at. */
			readonly focusAreas?: readonly string[];
			readonly hasChanged?: boolean;
			/** Whether an earlier run gave the result. */
			readonly isCached?: boolean;
			readonly spent?: StepSpent;
			/** Milliseconds since 1970. */
			readonly executedAt?: number;
			/** Titles of the calls that were refused. */
			readonly refused?: readonly string[];
	  }
	| {
			readonly kind: "ended";
			readonly reason: "done" | "roundLimit";
			/** Whether no model wrote the answer: it has only what its sources say. */
			readonly isQuoted?: boolean;
			readonly quoted?: QuotedFacts;
			/** Whether the model's answer ends before its end. */
			readonly isCut?: boolean;
			/** Name of the language model that wrote the answer, if it is known. */
			readonly model?: string;
	  };

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
	/** What the server counted. */
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number }
	/** Why the answer ended, in the words of the protocol. */
	| { readonly kind: "finished"; readonly reason: string };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

export interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
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

/** What a model was given in one request, and what was omitted. */
export interface ContextReport {
	/** Tokens that there were for the prompt. */
	readonly budget: number;
	/** Tokens of the prompt, by the model's own count. */
	readonly used: number;
	/** In the order of the prompt. */
	readonly parts: readonly ContextPart[];
}

export type ContextSection =
	| "instructions"
	| "tools"
	| "attachments"
	| "sources"
	| "memory"
	| "history"
	| "question"
	| "results";

export interface ContextPart {
	readonly section: ContextSection;
	readonly title: string;
	/** Tokens of the whole of it. */
	readonly tokens: number;
	/** Tokens of this part in the request; 0 if it was omitted. */
	readonly given: number;
	readonly why: string;
}

/** What a run, and everything that it starts, must stay within. What it starts gets a part of it, never more. */
export interface RunScope {
	readonly limits: ChainLimits;
	/** Names of the tools that may be used; absent if the rules alone decide. */
	readonly tools?: readonly string[];
	/** Names of the agents that may be started; absent if all may that can be chosen. */
	readonly agents?: readonly string[];
	/** Gets the number of tokens spent in nested runs. */
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
	/** Whether an agent with these tools may change something; true if it has unknown tools. */
	mayChange(agent: AgentDefinition, tools: readonly string[] | undefined): boolean;
	/** Ends with `ended`, or throws. The events need no `step`. Aborting the signal stops all that the step began. */
	run(step: StepRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
