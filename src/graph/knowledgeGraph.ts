import { Failure, isFailure } from "../base/failure.ts";
import { declarePrefixes } from "../base/rdf/sparqlNames.ts";
import type { Citation, LineRange } from "../core/knowledge/citation.ts";
import type { FactGraph, GraphAnswer } from "../core/knowledge/graph.ts";
import type { Quad, Term } from "../core/knowledge/rdf.ts";
import type { Graph } from "./facts/graph.ts";
import { sourcesOf } from "./facts/labels.ts";
import { summaryOf } from "./ontology/ontologySummary.ts";
import { describeOntology, prefixesOf } from "./ontology/ontologyText.ts";
import { checkQuery } from "./ontology/queryCheck.ts";
import type { Sparql, SparqlOptions } from "./sparql/sparql.ts";

interface KnowledgeGraphPorts {
	readonly graph: Graph;
	readonly sparql: Sparql;
	readonly cite: (uri: string, lines: LineRange) => Citation;
	/** Namespaces by the prefixes that documents declare. */
	readonly declared: () => ReadonlyMap<string, string>;
}

const ROWS = 100;
const BUDGET_TOKENS = 2000;
const CITED_ROWS = 10;
const MAX_CITATIONS = 20;

/** Answers from the embedded graph. Queries may omit declarations of prefixes of the ontology and of documents. */
export function createKnowledgeGraph(ports: KnowledgeGraphPorts): FactGraph {
	const { graph, sparql, cite, declared } = ports;
	const namespaceOf = (prefix: string) =>
		prefixesOf(summaryOf(graph)).namespaces.get(prefix) ?? declared().get(prefix);
	const ask = (text: string, options: SparqlOptions, signal: AbortSignal) => {
		const completed = declarePrefixes(text, namespaceOf);
		return sparql.query(completed, options, signal).catch((thrown: unknown) => {
			throw atOwnPlace(thrown, completed.length - text.length);
		});
	};
	return {
		query: async ({ sparql: text, limit = ROWS }, signal) => {
			const result = await ask(text, { rowLimit: limit }, signal);
			return { answer: withLines(graph, result), sources: sourcesIn(graph, result, cite), notices: [] };
		},
		check: async ({ sparql: text }, signal) => {
			await ask(text, { isCheck: true }, signal);
			return checkQuery(declarePrefixes(text, namespaceOf), summaryOf(graph).known);
		},
		ontology: async ({ budgetTokens = BUDGET_TOKENS, focus = "" }) =>
			describeOntology(summaryOf(graph), { budgetTokens, focus }),
	};
}

/** Corrects the column in an error message, because added prefixes precede the query on the first line. */
function atOwnPlace(thrown: unknown, added: number): unknown {
	if (!isFailure(thrown) || added === 0) return thrown;
	const message = thrown.message.replace(/\b1:(\d+)/, (_, column) => `1:${Number(column) - added}`);
	return new Failure(thrown.code, message, { cause: thrown });
}

/** Adds lines to the statements of an answer that are in the graph. Constructed statements have no lines. */
function withLines(graph: Graph, answer: GraphAnswer): GraphAnswer {
	if (answer.kind !== "quads") return answer;
	const located = (quad: Quad) => {
		const { subject, predicate, object } = quad;
		const [stated] = graph.match({ subject, predicate: predicate.value, object });
		return stated ? { ...quad, lines: stated.lines } : quad;
	};
	return { ...answer, quads: answer.quads.map(located) };
}

function sourcesIn(graph: Graph, result: GraphAnswer, cite: KnowledgeGraphPorts["cite"]): Citation[] {
	const citations = new Map<string, Citation>();
	for (const term of termsOf(result)) {
		if (term.termType === "Literal") continue;
		for (const { document, lines } of sourcesOf(graph, term))
			citations.set(`${document} ${lines.start}`, cite(document, lines));
	}
	return [...citations.values()].slice(0, MAX_CITATIONS);
}

function termsOf(result: GraphAnswer): Term[] {
	if (result.kind === "boolean") return [];
	if (result.kind === "quads") return result.quads.slice(0, CITED_ROWS).map(({ subject }) => subject);
	return result.rows.slice(0, CITED_ROWS).flatMap((row) => Object.values(row));
}
