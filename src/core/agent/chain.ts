import type { FileProblem } from "../fileProblem.ts";
import type { chainSchema, outcomeSchema, Stored, spentSchema, taskSchema } from "./chainSchema.ts";

/** A chain of agents. Stages run one after the other, the steps of a stage in parallel. */
export type Chain = Stored<typeof chainSchema>;
export type Stage = Chain["stages"][number];
export type ChainStep = Stage["steps"][number];
export type Condition = NonNullable<ChainStep["when"]>;
export type Task = Stored<typeof taskSchema>;
export type StepOutcome = Stored<typeof outcomeSchema>;
export type StepSpent = Stored<typeof spentSchema>;

/** Limits of a run and of everything that the run starts. A nested run can only narrow these limits. */
export interface ChainLimits {
	/** Maximum nesting depth of further runs; with depth 0, a run may not start any run. */
	readonly depth: number;
	/** Maximum number of tokens that models read and write in all steps. */
	readonly tokens: number;
	/** Maximum milliseconds for the whole run. */
	readonly time: number;
	readonly concurrency: number;
}

export interface ChainContext {
	readonly originalPrompt: string;
	readonly refinedPrompt: string;
	readonly evaluationFeedback: { readonly isClear: boolean; readonly changes: readonly string[] };
	readonly agentResults: readonly AgentResult[];
	readonly finalOutput: string;
}

export interface AgentResult {
	readonly agent: string;
	/** The agent's answer. For a failed agent, the output before the failure and the reason. */
	readonly output: string;
	/** ISO 8601. */
	readonly executedAt: string;
	readonly context: {
		/** Empty for the first step. */
		readonly previousAgent: string;
		readonly focusAreas: readonly string[];
	};
}

export interface Described {
	/** Letters, digits and hyphens. If several files have the same name, the first file wins. */
	readonly name: string;
	readonly description: string;
	readonly keywords: readonly string[];
	readonly mayBeChosen: boolean;
	readonly persona: string;
	readonly source: AgentSource;
}

/** An agent defined in a file of a repository or of the user. All of its text is untrusted. */
export interface AgentDefinition extends Described {
	/** Names of tools as written in the file; absent if the agent may use every tool of its caller. */
	readonly tools?: readonly string[];
	readonly model?: string;
	readonly handoffs: readonly string[];
	/** Names of the MCP servers that the CLI would start for this agent. */
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
	/** Name of an unknown tool, which may belong to an extension that the agent finder does not know. */
	readonly tool?: string;
}

export interface AgentRegistry {
	readonly agents: readonly AgentDefinition[];
	readonly problems: readonly AgentProblem[];
}

export interface AgentFiles {
	registry(signal: AbortSignal): Promise<AgentRegistry>;
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
	/** Ranks the agents of the registry for each task, best first. */
	fits(tasks: readonly string[], signal: AbortSignal): Promise<readonly (readonly AgentFit[])[]>;
	/** Ranks other described items, such as skills, for each task, best first. */
	rank(
		tasks: readonly string[],
		others: readonly Described[],
		signal: AbortSignal,
	): Promise<readonly (readonly AgentFit[])[]>;
}

export interface AgentFit {
	readonly agent: string;
	/** Similarity of the task to the whole file, 0 to 1. */
	readonly score: number;
	/** Similarity of the task to the name, description and keywords, 0 to 1. */
	readonly aim: number;
	/** Words of the task in the name, description or keywords. `instructed` lists words found only in the instructions. */
	readonly aimed: readonly string[];
	readonly instructed: readonly string[];
	/** Cosine similarity between the task and the name with the description. */
	readonly meaning: number;
}
