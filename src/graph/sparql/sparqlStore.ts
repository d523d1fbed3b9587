import { blankNode, namedNode, parse, Store } from "oxigraph";
import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import { quadFromRdfjs, type Term, withTerms } from "../../core/knowledge/rdf.ts";
import { toAbsoluteIri } from "../../core/knowledge/writeTerm.ts";
import { readResultTerm } from "./resultTerm.ts";
import { type DocumentText, limitSolutions, linesOf, type SparqlRequest } from "./sparqlRequest.ts";

/** Changed documents for the SPARQL thread, which answers messages in order. */
export interface SyncMessage {
	readonly kind: "sync";
	readonly removed: readonly string[];
	readonly replaced: readonly DocumentText[];
}

export interface QueryMessage {
	readonly kind: "query";
	readonly request: SparqlRequest;
	readonly rowLimit: number;
	/** Whether to check the syntax only, without reading data. */
	readonly isCheck: boolean;
}

/** After `broken`, the thread must not be used any more. */
export type FromSparqlThread = SparqlAnswer | { readonly kind: "broken"; readonly reason: string };

export type SparqlAnswer =
	| { readonly kind: "synced" }
	/** Numbers, booleans and dates are in canonical form: `"1"` for `"+1"`. Statements have no lines. */
	| { readonly kind: "answer"; readonly result: GraphAnswer }
	/** The query is invalid; the thread remains usable. */
	| { readonly kind: "refused"; readonly reason: string };

/** SPARQL 1.1 Query Results JSON. */
type JsonResults = { head: { vars: string[] }; results: { bindings: Record<string, unknown>[] } };

const LABEL = "urn:copilot-ld:label";
const N_QUADS = { format: "application/n-quads", lenient: true };
/** Measured: loading 200,000 lines at once takes twice as long; adding quads one by one takes 30 times as long. */
const LINES_PER_LOAD = 5000;

/** An Oxigraph store of the documents. The default graph merges all documents; named graphs load on first use. */
export function createSparqlStore() {
	const store = new Store();
	const documents = new Map<string, LoadedDocument>();
	const changeStatements = createGroundStatements(store);
	let lastNumber = 0;
	return {
		sync: ({ removed, replaced }: SyncMessage) => {
			const uris = [...removed, ...replaced.map(({ uri }) => uri)];
			const old = uris.map((uri) => documents.get(uri)).filter((document) => document !== undefined);
			for (const document of old) {
				dropBlankNodes(store, document);
				if (document.isNamed) store.update(`DROP SILENT GRAPH <${toAbsoluteIri(document.uri)}>`);
				documents.delete(document.uri);
			}
			const linesIn = (all: readonly DocumentText[]) => all.flatMap(({ ground }) => linesOf(ground));
			changeStatements({ gone: linesIn(old), come: linesIn(replaced) });
			const loaded = replaced.map((text) => ({ ...text, number: ++lastNumber, isNamed: false }));
			store.load(loaded.map(writeBlankNodes).join("\n"), N_QUADS);
			for (const document of loaded) documents.set(document.uri, document);
		},
		query: (message: QueryMessage) => {
			if (message.request.namesGraphs && !message.isCheck) nameGraphs(store, documents.values());
			return runQuery(store, message, [...documents.keys()]);
		},
	};
}

interface LoadedDocument extends DocumentText {
	/** Number of the hidden graph with the labels of blank nodes, which Oxigraph renames on loading. */
	readonly number: number;
	isNamed: boolean;
}

function nameGraphs(store: Store, documents: Iterable<LoadedDocument>): void {
	const unnamed = [...documents].filter(({ isNamed }) => !isNamed);
	const inGraph = ({ uri, ground }: DocumentText) =>
		linesOf(ground).map((line) => `${line.slice(0, -1)}<${toAbsoluteIri(uri)}> .`);
	loadLines(store, unnamed.flatMap(inGraph));
	for (const document of unnamed) {
		if (document.blank !== "") copyBlankNodes(store, document, toAbsoluteIri(document.uri));
		document.isNamed = true;
	}
}

/** Maximum total to count for messages like “100 of 240”; a larger total is reported as unknown. */
const COUNTED_ROWS = 10_000;

/** `uris` lists all documents. Throws an `Error` with Oxigraph's message if the query is invalid. */
function runQuery(store: Store, message: QueryMessage, uris: readonly string[]): GraphAnswer {
	const { request, rowLimit } = message;
	const options = datasetOf(message, uris);
	if (request.form === "ASK") return { kind: "boolean", value: store.query(request.text, options) === true };
	if (request.form !== "SELECT") {
		const lines = store.query(request.text, { ...options, results_format: "application/n-triples" });
		return readQuads(String(lines), rowLimit, store);
	}
	const countLimit = Math.max(COUNTED_ROWS, rowLimit);
	const text = limitSolutions(request.text, countLimit + 1);
	const json = String(store.query(text, { ...options, results_format: "json" }));
	const { head, results }: JsonResults = JSON.parse(json);
	const { bindings } = results;
	const toEntry = ([name, value]: [string, unknown]) => {
		const term = readResultTerm(value);
		return term ? [[name, labelled(term, store)] as const] : [];
	};
	const toRow = (binding: object) => Object.fromEntries(Object.entries(binding).flatMap(toEntry));
	return {
		kind: "rows",
		variables: request.selectsAll ? byMention(head.vars, text) : head.vars,
		rows: bindings.slice(0, rowLimit).map(toRow),
		...(bindings.length <= countLimit && { total: bindings.length }),
		truncated: bindings.length > rowLimit,
	};
}

/** The documents that the query selects, otherwise all. */
function datasetOf({ request, isCheck }: QueryMessage, uris: readonly string[]) {
	if (isCheck) return { default_graph: [], named_graphs: [] };
	const isWhole = request.namesGraphs && !request.choosesDataset;
	return isWhole ? { named_graphs: uris.map((uri) => namedNode(toAbsoluteIri(uri))) } : {};
}

/** Sorts variables in the order of the query, because Oxigraph sorts the variables of `SELECT *` alphabetically. */
function byMention(variables: readonly string[], query: string): string[] {
	const placeOf = (name: string) => query.search(new RegExp(String.raw`[?$]${name}(?![\p{L}\p{N}_])`, "u"));
	return variables.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function readQuads(nTriples: string, limit: number, store: Store): GraphAnswer {
	const lines = [...new Set(nTriples.split("\n"))].filter((line) => line !== "");
	const shown = parse(lines.slice(0, limit).join("\n"), { format: "application/n-triples", lenient: true });
	return {
		kind: "quads",
		quads: shown
			.flatMap((quad) => quadFromRdfjs(quad, { start: 0, end: 0 }) ?? [])
			.map((quad) => withTerms(quad, (term) => labelled(term, store))),
		truncated: lines.length > limit,
	};
}

/** Statements with blank nodes as N-Quads, to be loaded at once, because each load renames the nodes. */
function writeBlankNodes(document: LoadedDocument): string {
	const labels = [...document.labels].map(
		([token, label]) => `${token} <${LABEL}> ${JSON.stringify(label)} <${labelGraphOf(document)}> .`,
	);
	return [document.blank, ...labels].join("\n");
}

function copyBlankNodes(store: Store, document: LoadedDocument, graphName: string): void {
	const find = findNode(document);
	store.update(
		`INSERT { GRAPH <${graphName}> { ?node ?p ?o } } WHERE { ${find} ?node ?p ?o };
		INSERT { GRAPH <${graphName}> { ?s ?p ?node } } WHERE { ${find} ?s ?p ?node }`,
	);
}

/** Deletes the document's statements with blank nodes from the default graph, and the labels of these nodes. */
function dropBlankNodes(store: Store, document: LoadedDocument): void {
	if (document.blank === "") return;
	const find = findNode(document);
	store.update(
		`DELETE { ?node ?p ?o } WHERE { ${find} ?node ?p ?o };
		DELETE { ?s ?p ?node } WHERE { ${find} ?s ?p ?node };
		DROP GRAPH <${labelGraphOf(document)}>`,
	);
}

/** Replaces Oxigraph's label of a blank node by the graph's label, unless the query created the node. */
function labelled<Any extends Term>(term: Any, store: Store): Any {
	if (term.termType !== "BlankNode") return term;
	const [found] = store.match(blankNode(term.value), namedNode(LABEL));
	return found ? { ...term, value: found.object.value } : term;
}

function findNode(document: LoadedDocument): string {
	return `GRAPH <${labelGraphOf(document)}> { ?node <${LABEL}> ?label }`;
}

function labelGraphOf({ number }: LoadedDocument): string {
	return `urn:copilot-ld:labels:${number}`;
}

function loadLines(store: Store, lines: readonly string[]): void {
	for (let start = 0; start < lines.length; start += LINES_PER_LOAD)
		store.load(lines.slice(start, start + LINES_PER_LOAD).join("\n"), N_QUADS);
}

/** Statements without blank nodes in the default graph. A statement stays as long as any document contains it. */
function createGroundStatements(store: Store) {
	const documentCounts = new Map<string, number>();
	const count = (line: string, change: 1 | -1): number => {
		const documents = (documentCounts.get(line) ?? 0) + change;
		if (documents > 0) documentCounts.set(line, documents);
		else documentCounts.delete(line);
		return documents;
	};
	/** Applies a change. `gone` and `come` list a line once per document that loses or gains the statement. */
	return ({ gone, come }: { readonly gone: readonly string[]; readonly come: readonly string[] }) => {
		// Count added lines first, so that a statement that moves between documents is never lost.
		const found = come.filter((line) => count(line, 1) === 1);
		const lost = gone.filter((line) => count(line, -1) === 0);
		for (const statement of parse(lost.join("\n"), N_QUADS)) store.delete(statement);
		loadLines(store, [...found, ...twinsOf(lost, documentCounts)]);
	};
}

/** Statements to load again after a deletion: Oxigraph stores values, so deleting "+1" also deletes "1". */
function twinsOf(lost: readonly string[], statements: ReadonlyMap<string, number>): string[] {
	const places = new Set(lost.filter((line) => /"\^\^<[^"]*> \.$/.test(line)).map(placeOf));
	return places.size === 0 ? [] : [...statements.keys()].filter((line) => places.has(placeOf(line)));
}

function placeOf(line: string): string {
	return line.slice(0, line.indexOf(" ", line.indexOf(" ") + 1));
}
