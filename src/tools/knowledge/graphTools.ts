import * as z from "zod";
import { Failure } from "../../base/failure.ts";
import { sliceOf } from "../../base/rdf/sparqlTokens.ts";
import { plural } from "../../base/text/plural.ts";
import type { Tool, ToolContext } from "../../core/agent/tool.ts";
import { formatCitation, uncited } from "../../core/knowledge/citation.ts";
import type { GraphAnswer, GraphResult, KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import type { Channel } from "../../core/permission/permission.ts";
import { defineTool, lines, optional } from "../definition/defineTool.ts";

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

const DEFAULT_LIMIT = 100;

const querySchema = z.object({
	sparql: z.string().min(1).describe("A SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE query."),
	limit: optional(z.int().min(1).max(1000), `Rows or statements to return; ${DEFAULT_LIMIT} if left out.`),
});

const term = z.object({
	termType: z.string(),
	value: z.string(),
	datatype: z.string().optional(),
	language: z.string().optional(),
});

const queryOutput = z.object({
	kind: z.enum(["rows", "boolean", "quads"]),
	variables: z.array(z.string()).optional(),
	rows: optional(z.array(z.record(z.string(), term)), "What a row does not bind is absent from it."),
	total: optional(z.number(), "How many rows there are, where that is known."),
	value: z.boolean().optional(),
	quads: z.array(z.object({ subject: term, predicate: term, object: term })).optional(),
	truncated: z.boolean().optional(),
	sources: z.array(z.object({ path: z.string(), lines })),
	notices: z.array(z.string()),
});

export function createQueryTool(graph: KnowledgeGraph, channel: Channel): Tool {
	return defineTool({
		name: "query_graph",
		title: "Query Knowledge Graph",
		summary: "Run a read-only SPARQL query over the linked data of this workspace.",
		description:
			"Runs a read-only SPARQL 1.1 query over the facts of the user's knowledge base and returns the rows, how many there are, and where they are stated. Use it to count, to list all of a kind, to compare, and to follow relations over several steps, where a text search would give only the best few. Call describe_ontology first to learn the classes and properties in use: a query with unknown ones is refused with the nearest real names.",
		schema: querySchema,
		output: queryOutput,
		announce: () => "Querying the knowledge graph",
		run: async ({ sparql, limit = DEFAULT_LIMIT }, { signal }) => {
			const unknown = await graph.check({ sparql, channel }, signal);
			const mistakes = unknown.map(({ iri, nearest }) => {
				return `<${iri}> is not in use. Nearest: ${nearest.map((name) => `<${name}>`).join(", ") || "none"}.`;
			});
			if (mistakes.length > 0) throw new Failure("BAD_INPUT", mistakes.join("\n"));
			const result = await graph.query({ sparql, limit, channel }, signal);
			const { answer, sources, notices } = result;
			const told = uncited([describe(answer, extentOf(result, sparql)), ...notices].join("\n\n"));
			const cited = sources.length > 0 ? `\n\nSources: ${sources.map(formatCitation).join(" ")}` : "";
			return { text: told + cited, structured: { ...answer, sources, notices } };
		},
	});
}

function extentOf({ answer, isPartial }: GraphResult, sparql: string): string {
	if (answer.kind === "boolean") return "";
	const { limit, offset } = sliceOf(sparql);
	// LIMIT counts solutions, and the number of statements does not tell the number of solutions.
	const count = answer.kind === "rows" ? (answer.total ?? answer.rows.length) : Number.POSITIVE_INFINITY;
	const notes = [
		answer.truncated && "truncated: use COUNT, or LIMIT and OFFSET",
		count >= limit && `cut by the query's LIMIT ${limit}`,
		offset > 0 && `after the query's OFFSET ${offset}`,
		isPartial && "not complete",
	];
	return notes.filter(Boolean).join("; ");
}

function describe(answer: GraphAnswer, extent: string): string {
	switch (answer.kind) {
		case "boolean":
			return answer.value ? "true" : "false";
		case "rows":
			return describeRows(answer, extent);
		case "quads": {
			const lines = answer.quads.map(({ subject, predicate, object }) =>
				[subject, predicate, object].map(textOf).join("\t"),
			);
			return [`${lines.length} statements${extent && ` (${extent})`}:`, ...lines].join("\n");
		}
	}
}

/** Formats rows as tab-separated values, which take the fewest tokens. */
function describeRows(answer: Extract<GraphAnswer, { kind: "rows" }>, extent: string): string {
	const { variables, rows, total, truncated } = answer;
	const count = truncated ? `${rows.length} of ${total ?? "more"}` : rows.length;
	const lines = rows.map((row) => variables.map((name) => textOf(row[name])).join("\t"));
	return [`${count} rows (${extent || "complete"}):`, variables.join("\t"), ...lines].join("\n");
}

function textOf(term: Term | undefined): string {
	return term?.value.replace(/[\t\r\n]+/g, " ") ?? "";
}
