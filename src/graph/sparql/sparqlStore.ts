import { Store } from "oxigraph";
import { copyBlankNodes, dropBlankNodes, writeBlankNodes } from "./blankNodes.ts";
import { createGroundStatements, loadLines, N_QUADS } from "./groundStatements.ts";
import type { QueryMessage, SparqlResult, SyncMessage } from "./sparqlMessages.ts";
import { runQuery } from "./sparqlQuery.ts";
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
