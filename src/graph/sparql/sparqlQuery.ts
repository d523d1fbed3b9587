import { namedNode, type Store } from "oxigraph";
import { labelOf } from "./blankNodes.ts";
import { limitSolutions } from "./sparqlDialect.ts";
import type { QueryMessage, SparqlResult } from "./sparqlMessages.ts";
import { readQuads, readRows } from "./sparqlResults.ts";
import { graphNameOf } from "./statementText.ts";

/** Rows are counted up to here, so that "100 of 240" can be said; beyond, the total is unknown. */
const COUNTED_ROWS = 10_000;

/** `uris` are all documents. Throws an `Error` with Oxigraph's words for a query that is wrong. */
export function runQuery(store: Store, message: QueryMessage, uris: readonly string[]): SparqlResult {
	const { request, rowLimit } = message;
	const options = datasetOf(message, uris);
	const toLabel = (label: string) => labelOf(store, label);
	if (request.form === "ASK") return { kind: "boolean", value: store.query(request.text, options) === true };
	if (request.form !== "SELECT") {
		const lines = store.query(request.text, { ...options, results_format: "application/n-triples" });
		return readQuads(String(lines), rowLimit, toLabel);
	}
	const countLimit = Math.max(COUNTED_ROWS, rowLimit);
	const text = limitSolutions(request.text, countLimit + 1);
	const table = readRows(String(store.query(text, { ...options, results_format: "json" })), toLabel);
	const variables = request.selectsAll ? byMention(table.variables, text) : table.variables;
	return {
		kind: "rows",
		variables,
		rows: table.rows(variables, rowLimit),
		...(table.length <= countLimit && { total: table.length }),
		truncated: table.length > rowLimit,
	};
}

/** The documents that the caller allows; else those that the query chooses; else all. */
function datasetOf({ request, dataset }: QueryMessage, uris: readonly string[]) {
	const toGraphs = (names: readonly string[]) => names.map((uri) => namedNode(graphNameOf(uri)));
	if (dataset)
		return { default_graph: toGraphs(dataset.defaultGraph), named_graphs: toGraphs(dataset.namedGraphs) };
	return request.namesGraphs && !request.choosesDataset ? { named_graphs: toGraphs(uris) } : {};
}

/** Oxigraph gives the variables of `SELECT *` in the order of the alphabet. */
function byMention(variables: readonly string[], query: string): string[] {
	const placeOf = (name: string) => query.search(new RegExp(String.raw`[?$]${name}(?![\p{L}\p{N}_])`, "u"));
	return variables.toSorted((a, b) => placeOf(a) - placeOf(b));
}
