import * as z from "zod";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Door } from "../../core/permission/permission.ts";
import { defineTool } from "../definition/defineTool.ts";

const DEFAULT_TOKENS = 2000;

const schema = z.object({
	focus: z
		.string()
		.optional()
		.describe("The question, or names of classes: what it is about is described first and fully."),
	budgetTokens: z
		.int()
		.min(200)
		.max(8000)
		.optional()
		.describe(`Length of the description; ${DEFAULT_TOKENS} if left out.`),
});

const output = z.object({ ontology: z.string().describe("The description, as text.") });

export function createOntologyTool(graph: KnowledgeGraph, door: Door): Tool {
	return defineTool({
		name: "describe_ontology",
		title: "Describe Ontology",
		summary: "List the classes and properties that the linked data of this workspace uses.",
		description:
			"Describes the classes and properties in use in the user's knowledge graph, with counts, domains, ranges, prefixes and examples, and says what it left out. Use it before query_graph.",
		schema,
		output,
		announce: () => "Reading the ontology",
		run: async ({ focus, budgetTokens = DEFAULT_TOKENS }, { signal }) => {
			const asked = { budgetTokens, door, ...(focus && { focus }) };
			const ontology = uncited(await graph.ontology(asked, signal));
			return { text: ontology, structured: { ontology } };
		},
	});
}
