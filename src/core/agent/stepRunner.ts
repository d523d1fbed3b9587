import type { AgentEvent } from "./agentEvent.ts";
import type { AgentDefinition, ChainLimits } from "./chain.ts";

/** What a run, and everything that it starts, must stay within. What it starts gets a part of it, never more. */
export interface RunScope {
	readonly limits: ChainLimits;
	/** Names of the tools that may be used; absent if the rules alone decide. */
	readonly tools?: readonly string[];
	/** Names of the agents that may be started; absent if all may that can be chosen. */
	readonly agents?: readonly string[];
	/** Is told of tokens that were spent below it. */
	readonly onSpent?: (tokens: number) => void;
	/** Is told what its steps do, and those of the chains that they start; absent if nobody keeps it. */
	readonly onEvent?: (event: AgentEvent) => void;
}

export interface StepRequest {
	/** Unique within the chain. */
	readonly id: string;
	/** From 1. */
	readonly attempt: number;
	readonly agent: AgentDefinition;
	/** All that it is asked, with what the steps before it answered. */
	readonly prompt: string;
	/** `scope.tools` are those that the step may use; what it starts gets this scope. */
	readonly scope: RunScope;
}

/** Runs the steps of chains: as sessions of the Copilot CLI, or in our own loop. */
export interface StepRunner {
	/** Whether an agent with these tools may change something; of what it does not know, it may. */
	mayChange(agent: AgentDefinition, tools: readonly string[] | undefined): boolean;
	/** Ends with `ended`, or throws. The events need no `step`. Aborting the signal stops all that the step began. */
	run(step: StepRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
