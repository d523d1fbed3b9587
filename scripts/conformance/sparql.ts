import { readFileSync } from "node:fs";
import { messageOf } from "../../src/base/failure.ts";
import type { GraphAnswer } from "../../src/core/knowledge/graph.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { createSparql, type Sparql } from "../../src/graph/sparql/sparql.ts";
import { parseFile } from "./parseFile.ts";
import { describeDifference } from "./sparqlComparison.ts";
import { readSparqlManifest, type SparqlTest } from "./sparqlManifest.ts";
import { readResultFile, type Table, tableOf, throughCsv } from "./sparqlResultFiles.ts";
import type { Suite } from "./suite.ts";

/** SPARQL 1.1 Query without entailment, federation, protocol and update. */
const CATEGORIES = [
	"aggregates",
	"bind",
	"bindings",
	"cast",
	"construct",
	"csv-tsv-res",
	"exists",
	"functions",
	"grouping",
	"json-res",
	"negation",
	"project-expression",
	"property-path",
	"subquery",
	"syntax-query",
];

/** Loads the tests' data with our readers into the graph and its SPARQL thread. */
export const sparqlSuite: Suite = {
	name: "SPARQL 1.1 query",
	bar: 328,
	async readTests(folder) {
		const graph = createGraph();
		const threadUrl = new URL("../../src/graph/sparql/sparqlThread.ts", import.meta.url);
		const sparql = createSparql({ graph, threadUrl });
		return CATEGORIES.flatMap((category) => readSparqlManifest(folder, category)).map((test) => ({
			name: test.name,
			run: () => judge(test, graph, sparql),
		}));
	},
};

async function judge(test: SparqlTest, graph: Graph, sparql: Sparql): Promise<string | undefined> {
	await load(test, graph);
	const result = await runQuery(test, sparql).catch(messageOf);
	if (test.kind === "negative") return typeof result === "string" ? undefined : "no error was found";
	// An unknown function is refused when the query runs, so its syntax is accepted.
	if (test.kind === "positive")
		return typeof result === "string" && !/custom function/.test(result) ? result : undefined;
	if (typeof result === "string") return result;
	if (!test.result) return "there is no result to compare with";
	return describeDifference(await readResultFile(test.result), shapeOf(result, test), test);
}

async function load({ data, graphData }: SparqlTest, graph: Graph): Promise<void> {
	for (const uri of [...graph.documents().keys()]) graph.remove(uri);
	for (const file of [...data, ...graphData]) graph.replace(file.uri, (await parseFile(file)).quads);
}

function runQuery({ query, data, graphData }: SparqlTest, sparql: Sparql): Promise<GraphAnswer> {
	const text = readFileSync(query.path, "utf8");
	const needsDataset = graphData.length > 0 && !/\bFROM\b/i.test(text);
	const graphs = [...data.map(({ uri }) => `<${uri}>`), ...graphData.map(({ uri }) => `NAMED <${uri}>`)];
	const clauses = needsDataset ? graphs.map((name) => `FROM ${name} `).join("") : "";
	const begin = /\bWHERE\b/i.test(text) ? /\bWHERE\b/i : /\{/;
	const whole = text.replace(begin, (found) => clauses + found);
	return sparql.query(`BASE <${query.uri}> ${whole}`, {}, new AbortController().signal);
}

/** A result in the format of the test's result file. */
function shapeOf(result: GraphAnswer, { kind }: SparqlTest): boolean | Table {
	if (result.kind === "boolean") return result.value;
	const table = result.kind === "quads" ? tableOf(result.quads) : inColumns(result);
	if (kind !== "csv") return table;
	return { variables: table.variables, rows: table.rows.map((row) => row.map(throughCsv)) };
}

function inColumns({ variables, rows }: Extract<GraphAnswer, { kind: "rows" }>): Table {
	return { variables, rows: rows.map((row) => variables.map((name) => row[name])) };
}
