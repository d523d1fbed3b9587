import * as z from "zod";
import { plural } from "../../base/text/plural.ts";
import type { Tool, ToolContext } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Channel } from "../../core/permission/permission.ts";
import { defineTool, optional } from "../definition/defineTool.ts";

const DEFAULT_TOKENS = 2000;

const schema = z.object({
	focus: optional(
		z.string(),
		"The question, or names of classes: what it is about is described first and fully.",
	),
	budgetTokens: optional(
		z.int().min(200).max(8000),
		`Length of the description; ${DEFAULT_TOKENS} if left out.`,
	),
});

const refreshing = schema.extend({
	refresh: optional(z.boolean(), "Whether the files are compared with the index again first."),
});

const output = z.object({ ontology: z.string().describe("The description, as text.") });

const withState = output.extend({
	index: z.object({
		state: z.enum(["empty", "indexing", "paused", "ready"]),
		documents: z.number().describe("Documents that are indexed."),
		unindexed: z.number().describe("Files that are not."),
	}),
	notices: z.array(z.string()),
});

/** Access to the state of the index, for hosts that show the state nowhere else. */
export interface IndexPlace {
	state(signal: AbortSignal): Promise<z.output<typeof withState>["index"]>;
	/** Updates the index, but waits only a few seconds for unread files. Resolves to notices for the user. */
	refresh(signal: AbortSignal): Promise<readonly string[]>;
}

const STATED =
	" Also says how many documents are indexed, how many files are not, and whether the index is still being built.";

export function createOntologyTool(graph: KnowledgeGraph, channel: Channel, index?: IndexPlace): Tool {
	const described = {
		name: "describe_ontology",
		title: "Describe Ontology",
		summary: "List the classes and properties that the linked data of this workspace uses.",
		description:
			"Describes the classes and properties in use in the user's knowledge graph, with counts, domains, ranges, prefixes and examples, and says what it left out. Use it before query_graph.",
		announce: () => "Reading the ontology",
	} as const;
	const run = async (
		{ focus, budgetTokens = DEFAULT_TOKENS, refresh = false }: z.output<typeof refreshing>,
		{ signal }: ToolContext,
	) => {
		const notices = (refresh && (await index?.refresh(signal))) || [];
		const asked = { budgetTokens, channel, ...(focus && { focus }) };
		const ontology = uncited(await graph.ontology(asked, signal));
		const state = await index?.state(signal);
		if (!state) return { text: ontology, structured: { ontology } };
		const [documents, files] = [plural(state.documents, "document"), plural(state.unindexed, "file")];
		const stated = `The index is ${state.state}: ${documents}, ${files} not indexed.`;
		const text = [ontology, stated, ...notices].join("\n\n");
		return { text, structured: { ontology, index: state, notices } };
	};
	if (!index) return defineTool({ ...described, schema, output, run });
	const description = described.description + STATED;
	return defineTool({ ...described, description, schema: refreshing, output: withState, run });
}
