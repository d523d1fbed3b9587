import type { FileProblem } from "../fileProblem.ts";
import type { chainSchema, outcomeSchema, Stored, spentSchema, taskSchema } from "./chainSchema.ts";

/** A chain of agents, as it is planned, saved and run: stages one after the other, the steps of a stage side by side. */
export type Chain = Stored<typeof chainSchema>;
export type Stage = Chain["stages"][number];
export type ChainStep = Stage["steps"][number];
export type Condition = NonNullable<ChainStep["when"]>;
export type Task = Stored<typeof taskSchema>;
export type StepOutcome = Stored<typeof outcomeSchema>;
export type StepSpent = Stored<typeof spentSchema>;

/** How much a run, and everything that it starts, may take. Every part of it is only ever narrowed. */
export interface ChainLimits {
	/** Maximum number of runs above a run; 0 starts none below. */
	readonly depth: number;
	/** Tokens that models read and write, over all steps. */
	readonly tokens: number;
	/** Milliseconds for the whole of it. */
	readonly time: number;
	readonly concurrency: number;
}

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
	/** Its answer; if it failed, what it had said and why it failed. */
	readonly output: string;
	/** ISO 8601. */
	readonly executedAt: string;
	readonly context: {
		/** Empty for the first. */
		readonly previousAgent: string;
		readonly focusAreas: readonly string[];
	};
}

/** What agents and skills are ranked by. */
export interface Described {
	/** What it is chosen by: letters, digits and hyphens; the first file with a name has it. */
	readonly name: string;
	readonly description: string;
	readonly keywords: readonly string[];
	readonly mayBeChosen: boolean;
	readonly persona: string;
	readonly source: AgentSource;
}

/** An agent as described by a file of a repository or of the user. Every word of it is untrusted. */
export interface AgentDefinition extends Described {
	/** Names of tools as the file gives them; absent if the agent may use all that its caller allows. */
	readonly tools?: readonly string[];
	readonly model?: string;
	/** Names of the agents that it hands over to. */
	readonly handoffs: readonly string[];
	/** Names of the MCP servers that the CLI would start for it. */
	readonly servers: readonly string[];
	readonly mayBeAsked: boolean;
}

export interface AgentSource {
	/** A `file:` URI. */
	readonly uri: string;
	readonly level: "workspace" | "user";
	/** SHA-256 of the file's bytes, in hex. */
	readonly hash: string;
}

export interface AgentProblem extends FileProblem {
	/** The tool that it is about, which an extension may have that the finder cannot know of. */
	readonly tool?: string;
}

export interface AgentRegistry {
	readonly agents: readonly AgentDefinition[];
	readonly problems: readonly AgentProblem[];
}

export interface AgentFiles {
	registry(signal: AbortSignal): Promise<AgentRegistry>;
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
	/** How well the agents of the registry fit each of some tasks, best first. */
	fits(tasks: readonly string[], signal: AbortSignal): Promise<readonly (readonly AgentFit[])[]>;
	/** The same of others that are described, such as skills. */
	rank(
		tasks: readonly string[],
		others: readonly Described[],
		signal: AbortSignal,
	): Promise<readonly (readonly AgentFit[])[]>;
}

export interface AgentFit {
	readonly agent: string;
	/** 0 to 1, over everything that its file says. */
	readonly score: number;
	/** 0 to 1, over its name, description and keywords: whether it is for such tasks at all. */
	readonly aim: number;
	/** Words of the task that its name, description or keywords have, and those that only its instructions have. */
	readonly aimed: readonly string[];
	readonly instructed: readonly string[];
	/** Cosine between the task and its name and description. */
	readonly meaning: number;
}
