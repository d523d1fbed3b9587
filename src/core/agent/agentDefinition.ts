/** An agent as a file of a repository, or of the person, describes it. Every word of it is untrusted. */
export interface AgentDefinition {
	/** What it is chosen by: letters, digits and hyphens; the first file with a name has it. */
	readonly name: string;
	readonly description: string;
	readonly keywords: readonly string[];
	/** Names of tools as the file gives them; absent if the agent may use all that its caller allows. */
	readonly tools?: readonly string[];
	readonly model?: string;
	readonly argumentHint?: string;
	readonly handoffs: readonly Handoff[];
	/** Names of the MCP servers that the CLI would start for it. */
	readonly servers: readonly string[];
	readonly mayBeChosen: boolean;
	readonly mayBeAsked: boolean;
	/** Where the file says that it runs; absent if it may run anywhere. */
	readonly target?: "vscode" | "github-copilot";
	readonly persona: string;
	readonly source: AgentSource;
}

export interface Handoff {
	readonly agent: string;
	readonly label?: string;
	readonly prompt?: string;
}

export interface AgentSource {
	/** A `file:` URI. */
	readonly uri: string;
	readonly level: "workspace" | "user";
	/** SHA-256 of the file's bytes, in hex. */
	readonly hash: string;
}

export interface AgentProblem {
	readonly uri: string;
	/** From 1. */
	readonly line: number;
	readonly severity: "error" | "warning";
	readonly message: string;
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
	/** How alike a text and each of some others are by the built-in model, 0 to 1. */
	likeness(text: string, others: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}
