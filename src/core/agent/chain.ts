/** A chain of agents, as it is planned, saved and run: stages one after the other, the steps of a stage side by side. */
export interface Chain {
	/** Set if the chain is saved. */
	readonly name?: string;
	readonly stages: readonly Stage[];
	readonly onFailure: "continue" | "stop";
}

export interface Stage {
	readonly steps: readonly ChainStep[];
	/** After the stage, unless the condition holds, the chain goes back; at most `max` times. */
	readonly until?: {
		readonly condition: Condition;
		readonly max: number;
		/** Index of the stage that it goes back to; this one if omitted. */
		readonly from?: number;
	};
}

export interface ChainStep {
	/** Unique within the chain. */
	readonly id: string;
	readonly agent: string;
	/** What it is asked; the prompt of the chain if omitted. */
	readonly prompt?: string;
	/** Narrows what the agent's file allows; never widens it. */
	readonly tools?: readonly string[];
	readonly when?: Condition;
	/** Milliseconds. */
	readonly timeout?: number;
}

/** Speaks of the result of a step that came before. */
export type Condition = {
	readonly step: string;
} & (
	| { readonly is: "succeeded" | "failed" | "skipped" }
	/** Whether the output has these words, in any case. */
	| { readonly contains: string }
	| { readonly lacks: string }
);

/** How much a run, and everything that it starts, may take. Every part of it is only ever narrowed. */
export interface ChainLimits {
	/** How many runs may stand above a run; 0 starts none below. */
	readonly depth: number;
	/** Tokens that models read and write, over all steps. */
	readonly tokens: number;
	/** Milliseconds for the whole of it. */
	readonly time: number;
	/** Steps that are at work at once. */
	readonly concurrency: number;
}

export interface Task {
	readonly prompt: string;
	readonly refined: string;
	readonly isClear: boolean;
	readonly changes: readonly string[];
}

export type StepOutcome = "succeeded" | "failed" | "timedOut" | "skipped" | "cancelled";

/** What came out of a chain: the structure that its steps are given, and that programs get. */
export interface ChainContext {
	readonly originalPrompt: string;
	readonly refinedPrompt: string;
	readonly evaluationFeedback: { readonly isClear: boolean; readonly changes: readonly string[] };
	readonly agentResults: readonly AgentResult[];
	readonly finalOutput: string;
}

export interface AgentResult {
	readonly agent: string;
	/** What it answered; of one that failed, what it had said and why it failed. */
	readonly output: string;
	/** ISO 8601. */
	readonly executedAt: string;
	readonly context: {
		/** Empty for the first. */
		readonly previousAgent: string;
		readonly focusAreas: readonly string[];
	};
}
