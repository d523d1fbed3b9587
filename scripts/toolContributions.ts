import type { OurTool } from "../src/core/agent/ourTools.ts";
import type { Tool } from "../src/core/agent/tool.ts";
import { createToolset } from "../src/tools/toolset.ts";

const ICONS: Record<Exclude<OurTool, "ask_user">, string> = {
	search_knowledge: "$(search)",
	read_resource: "$(book)",
	query_graph: "$(type-hierarchy)",
	describe_ontology: "$(symbol-class)",
	recall_memory: "$(history)",
	remember: "$(bookmark)",
	ask: "$(comment-discussion)",
	run_with_orchestrator: "$(run-all)",
	run_agent: "$(person)",
	list_agents: "$(organization)",
	evaluate_prompt: "$(checklist)",
	plugin: "$(extensions)",
};

const unasked = () => {
	throw new Error("The manifest only describes the tools.");
};
const graph = { query: unasked, check: unasked, ontology: unasked };
const knowledge = { search: unasked, read: unasked, index: unasked, status: unasked };
const memory = { remember: unasked, recall: unasked, facts: unasked, edit: unasked, forget: unasked };

const judging = { registry: unasked, chain: unasked, judge: unasked, plan: unasked };
const orchestrator = { ...judging, remember: unasked, resume: unasked, run: unasked };

const tools = () =>
	createToolset({
		knowledge,
		graph,
		memory: { memory, workspace: unasked },
		channel: "tools",
		openRunner: unasked,
		orchestrator,
		plugins: { registry: unasked, requireRun: unasked, placeOf: unasked, calls: { during: unasked } },
	});

/** `contributes.languageModelTools`, made from the tools; their texts for users are in `package.nls.json`. */
export function toolContributions(): object[] {
	return tools().map(({ name, description, inputSchema }) => ({
		name: `copilot-ld_${name}`,
		displayName: `%tool.${name}.displayName%`,
		userDescription: `%tool.${name}.userDescription%`,
		modelDescription: description,
		toolReferenceName: referenceName(name),
		canBeReferencedInPrompt: true,
		icon: ICONS[name as keyof typeof ICONS],
		tags: ["knowledge", "linked-data"],
		inputSchema,
	}));
}

/** The tools of the MCP program. */
export function mcpTools(): readonly Tool[] {
	const index = { state: unasked, refresh: unasked };
	return createToolset({ knowledge, graph, index, channel: "mcp", openRunner: unasked, orchestrator });
}

/** The texts of the tools in `package.nls.json`. */
export function toolTexts(): Record<string, string> {
	return Object.fromEntries(
		tools().flatMap(({ name, title, summary }) => [
			[`tool.${name}.displayName`, title],
			[`tool.${name}.userDescription`, summary],
		]),
	);
}

/** The name in a prompt: `#searchKnowledge` for `search_knowledge`; a lone verb gets our name. */
function referenceName(name: string): string {
	const [verb = "", ...nouns] = name.split("_");
	const words = nouns.length > 0 ? nouns : ["copilot", "ld"];
	return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
