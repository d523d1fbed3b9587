interface ToolFacts {
	readonly about: "knowledge" | "memory" | "agents" | "plugins" | "questions";
	readonly isReadOnly: boolean;
}

/** All our tools, in picker order; `src/tools/toolset.ts` creates them. Other lists derive from this. */
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
	// Most plugin commands only read; each command declares this itself.
	plugin: { about: "plugins", isReadOnly: false },
	ask: { about: "questions", isReadOnly: true },
	ask_user: { about: "questions", isReadOnly: true },
} as const satisfies Record<string, ToolFacts>;

export type OurTool = keyof typeof OUR_TOOLS;

export function ourTools(isWanted: (facts: ToolFacts, name: OurTool) => boolean): OurTool[] {
	const all = Object.entries(OUR_TOOLS) as [OurTool, ToolFacts][];
	return all.filter(([name, facts]) => isWanted(facts, name)).map(([name]) => name);
}

/** Tools that change nothing and start nothing for any caller. */
export const READING_TOOLS = ourTools(({ about, isReadOnly }) => about === "knowledge" && isReadOnly);

export function startsAgents({ about, isReadOnly }: ToolFacts): boolean {
	return about === "agents" && !isReadOnly;
}

/** Name of the plugin that groups the tools for skills beside the commands of plugins. */
export const SKILLS_PLUGIN = "skills";
export const USE_SKILL = "plugin_skills_use";

/** The name of our MCP server. Some agents prefix our tools' names with it. */
export const MCP_SERVER = "copilot-ld";

/** Our tools as named by the Copilot CLI, without plugin commands. Each call is decided by our process. */
export const OUR_TOOLS_ON_CLI: ReadonlySet<string> = new Set(
	ourTools(({ about }, name) => about !== "plugins" && name !== "ask").map((name) => `${MCP_SERVER}-${name}`),
);
