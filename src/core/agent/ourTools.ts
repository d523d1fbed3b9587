interface ToolFacts {
	readonly about: "knowledge" | "memory" | "agents" | "plugins" | "questions";
	readonly isReadOnly: boolean;
}

/** All our tools, in the order of the tool picker. */
export const OUR_TOOLS = {
	search_knowledge: { about: "knowledge", isReadOnly: true },
	read_resource: { about: "knowledge", isReadOnly: true },
	query_graph: { about: "knowledge", isReadOnly: true },
	describe_ontology: { about: "knowledge", isReadOnly: true },
	recall_memory: { about: "memory", isReadOnly: true },
	remember: { about: "memory", isReadOnly: false },
	run_with_orchestrator: { about: "agents", isReadOnly: false },
	run_agent: { about: "agents", isReadOnly: false },
	list_agents: { about: "agents", isReadOnly: true },
	evaluate_prompt: { about: "agents", isReadOnly: true },
	// Not read-only as a whole: each plugin command declares its own effects.
	plugin: { about: "plugins", isReadOnly: false },
	ask: { about: "questions", isReadOnly: true },
	ask_user: { about: "questions", isReadOnly: true },
} as const satisfies Record<string, ToolFacts>;

export type OurTool = keyof typeof OUR_TOOLS;

export function ourTools(isWanted: (facts: ToolFacts, name: OurTool) => boolean): OurTool[] {
	const all = Object.entries(OUR_TOOLS) as [OurTool, ToolFacts][];
	return all.filter(([name, facts]) => isWanted(facts, name)).map(([name]) => name);
}

export const READING_TOOLS = ourTools(({ about, isReadOnly }) => about === "knowledge" && isReadOnly);

export function startsAgents({ about, isReadOnly }: ToolFacts): boolean {
	return about === "agents" && !isReadOnly;
}

/** Name of the group of skill tools. The names of these tools look like commands of a plugin. */
export const SKILLS_PLUGIN = "skills";
export const USE_SKILL = "plugin_skills_use";

/** Name of our MCP server. Some agents prefix our tools' names with the server's name. */
export const MCP_SERVER = "copilot-ld";

/** Our tools as named by the Copilot CLI, without plugin commands. Our own process permits or denies each call. */
export const OUR_TOOLS_ON_CLI: ReadonlySet<string> = new Set(
	ourTools(({ about }, name) => about !== "plugins" && name !== "ask").map((name) => `${MCP_SERVER}-${name}`),
);
