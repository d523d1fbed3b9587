import { namedNode, Store } from "oxigraph";
import { copyBlankNodes, dropBlankNodes, labelOf, writeBlankNodes } from "./blankNodes.ts";
import { createGroundStatements, loadLines, N_QUADS } from "./groundStatements.ts";
import { limitSolutions } from "./sparqlDialect.ts";
import type { QueryMessage, SparqlResult, SyncMessage } from "./sparqlMessages.ts";
import { readQuads, readRows } from "./sparqlResults.ts";
import { type DocumentText, graphNameOf, linesOf } from "./statementText.ts";

/** Oxigraph, kept in step with the documents: all that the SPARQL thread does. */
export interface SparqlStore {
	sync(message: SyncMessage): void;
	query(message: QueryMessage): SparqlResult;
}

/**
 * The default graph holds every statement once, whatever the number of documents that make it: Oxigraph's own union
 * of graphs repeats shared ones. Named graphs cost as much again, so they come with the first query that needs them.
 */
export function createSparqlStore(): SparqlStore {
	const store = new Store();
	const documents = new Map<string, LoadedDocument>();
	const statements = createGroundStatements(store);
	let lastNumber = 0;

	return {
		sync: ({ removed, replaced }) => {
			const uris = [...removed, ...replaced.map(({ uri }) => uri)];
			const old = uris.map((uri) => documents.get(uri)).filter((document) => document !== undefined);
			for (const document of old) {
				dropGraphs(store, document);
				documents.delete(document.uri);
			}
			statements.change({
				gone: old.flatMap(({ ground }) => linesOf(ground)),
				come: replaced.flatMap(({ ground }) => linesOf(ground)),
			});
			const loaded = replaced.map((text) => ({ ...text, number: ++lastNumber, isNamed: false }));
			store.load(loaded.map(writeBlankNodes).join("\n"), N_QUADS);
			for (const document of loaded) documents.set(document.uri, document);
		},
		query: (message) => {
			if (message.request.namesGraphs || message.dataset)
				nameGraphs(
					store,
					[...documents.values()].filter(({ isNamed }) => !isNamed),
				);
			return runQuery(store, message, [...documents.keys()]);
		},
	};
}

interface LoadedDocument extends DocumentText {
	readonly number: number;
	/** Whether its named graph is loaded. */
	isNamed: boolean;
}

function dropGraphs(store: Store, document: LoadedDocument): void {
	dropBlankNodes(store, document);
	if (document.isNamed) store.update(`DROP SILENT GRAPH <${graphNameOf(document.uri)}>`);
}

function nameGraphs(store: Store, documents: readonly LoadedDocument[]): void {
	loadLines(
		store,
		documents.flatMap(({ uri, ground }) =>
			linesOf(ground).map((line) => `${line.slice(0, -1)}<${graphNameOf(uri)}> .`),
		),
	);
	for (const document of documents) {
		if (document.blank !== "") copyBlankNodes(store, document, graphNameOf(document.uri));
		document.isNamed = true;
	}
}

/** Rows are counted up to here, so that "100 of 240" can be said; beyond, the total is unknown. */
const COUNTED_ROWS = 10_000;

/** `uris` are all documents. Throws an `Error` with Oxigraph's words for a query that is wrong. */
function runQuery(store: Store, message: QueryMessage, uris: readonly string[]): SparqlResult {
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
