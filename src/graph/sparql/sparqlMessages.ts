import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import type { DocumentText, SparqlRequest } from "./sparqlRequest.ts";

/** Messages to the SPARQL thread, which answers each of them in order. */
export type ToSparqlThread = SyncMessage | QueryMessage;

export interface SyncMessage {
	readonly kind: "sync";
	/** URIs. */
	readonly removed: readonly string[];
	readonly replaced: readonly DocumentText[];
}

export interface QueryMessage {
	readonly kind: "query";
	readonly request: SparqlRequest;
	readonly dataset?: Dataset;
	/** Rows or quads that come back. */
	readonly rowLimit: number;
}

/** The documents (URIs) that a query sees: merged as its default graph, and by name. Each costs at every step: meant for tens. */
export interface Dataset {
	readonly defaultGraph: readonly string[];
	readonly namedGraphs: readonly string[];
}

/** The engine failed; the thread must not be used any more. */
export type FromSparqlThread = SparqlAnswer | { readonly kind: "broken"; readonly reason: string };

export type SparqlAnswer =
	| { readonly kind: "synced" }
	/** Numbers, booleans and dates come back by value, in their canonical spelling: `"+1"` as `"1"`. Statements have no lines. */
	| { readonly kind: "answer"; readonly result: GraphAnswer }
	/** The query is wrong; the thread is well. */
	| { readonly kind: "refused"; readonly reason: string };
