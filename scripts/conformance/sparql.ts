import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../src/core/failure.ts";
import { createGraph } from "../../src/store/graph/graph.ts";
import { createSparql, type Sparql } from "../../src/store/graph/sparql.ts";
import type { SparqlResult } from "../../src/store/graph/sparqlMessages.ts";
import { describeDifference } from "./sparqlComparison.ts";
import { readSparqlManifest, type SparqlTest } from "./sparqlManifest.ts";
import { readGraph, readResultFile, type Table, tableOf, throughCsv } from "./sparqlResultFiles.ts";

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

/** Runs the suite through the graph and its SPARQL thread. `dataFolder` holds `suites/sparql11`. */
export async function runSparqlSuite(dataFolder: string) {
	const suite = pathToFileURL(`${dataFolder}/suites/sparql11`).href;
	const manifests = CATEGORIES.map((category) => readSparqlManifest(`${suite}/${category}/manifest.ttl`));
	const tests = (await Promise.all(manifests)).flat();
	const graph = createGraph();
	const threadUrl = new URL("../../src/store/graph/sparqlThread.ts", import.meta.url);
	const sparql = createSparql({ graph, threadUrl });
	const failures: { name: string; reason: string }[] = [];
	for (const test of tests) {
		graph.clear();
		for (const file of new Set([...test.data, ...test.graphData])) graph.replace(file, await readGraph(file));
		const reason = await runTest(test, sparql);
		if (reason) failures.push({ name: test.name, reason });
	}
	await sparql.close();
	return { name: "SPARQL 1.1 query", passed: tests.length - failures.length, total: tests.length, failures };
}

/** Why the test fails; `undefined` where it passes. */
async function runTest(test: SparqlTest, sparql: Sparql): Promise<string | undefined> {
	const result = await runQuery(test, sparql).catch(messageOf);
	if (test.kind === "negative")
		return typeof result === "string" ? undefined : "The query should be refused.";
	// A function that nobody knows is refused when the query runs: its syntax has passed.
	if (test.kind === "positive")
		return typeof result === "string" && !/custom function/.test(result) ? result : undefined;
	if (typeof result === "string") return result;
	return describeDifference(await readResultFile(test.result), shapeOf(result, test), test);
}

/** A result as the test's file would say it. */
function shapeOf(result: SparqlResult, { kind }: SparqlTest): boolean | Table {
	if (result.kind === "boolean") return result.value;
	const table = result.kind === "quads" ? tableOf(result.quads) : result;
	if (kind !== "csv") return table;
	return { variables: table.variables, rows: table.rows.map((row) => row.map(throughCsv)) };
}

function runQuery({ query, data, graphData }: SparqlTest, sparql: Sparql): Promise<SparqlResult> {
	const text = readFileSync(new URL(query), "utf8");
	const needsDataset = graphData.length > 0 && !/\bFROM\b/i.test(text);
	const options = needsDataset ? { dataset: { defaultGraph: data, namedGraphs: graphData } } : {};
	return sparql.query(`BASE <${query}> ${text}`, options, new AbortController().signal);
}
