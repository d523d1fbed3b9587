import type { AtDoor } from "../permission/door.ts";
import type { Citation } from "./citation.ts";
import type { Quad, Term } from "./rdf.ts";

interface GraphQuery {
	/** SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE. */
	readonly sparql: string;
	/** At most this many rows or statements; 1 to 10,000. */
	readonly limit?: number;
}

export type GraphAnswer =
	| {
			readonly kind: "rows";
			readonly variables: readonly string[];
			/** A variable that a row does not bind is absent from it. */
			readonly rows: readonly Readonly<Record<string, Term>>[];
			/** How many rows there are, where that is known. */
			readonly total?: number;
			readonly truncated: boolean;
	  }
	| { readonly kind: "boolean"; readonly value: boolean }
	| { readonly kind: "quads"; readonly quads: readonly Quad[]; readonly truncated: boolean };

export interface GraphResult {
	readonly answer: GraphAnswer;
	/** Whether statements may be missing: a policy applies, or files are not indexed yet. */
	readonly isPartial?: boolean;
	/** Where the resources of the first rows are described. */
	readonly sources: readonly Citation[];
	readonly notices: readonly string[];
}

/** A class or property in a query that no document uses. */
export interface UnknownTerm {
	readonly iri: string;
	/** IRIs of the most similar ones that are used, best first. */
	readonly nearest: readonly string[];
}

interface OntologyQuery {
	/** Tokens that the description may take; about four characters each. */
	readonly budgetTokens?: number;
	/** Words that tell which classes matter. */
	readonly focus?: string;
}

/** The questions that the graph answers. Every method rejects with a `Failure` that a person can act on. */
export interface FactGraph {
	query(query: GraphQuery, signal: AbortSignal): Promise<GraphResult>;
	/** Classes and properties of a query that are not in use. Rejects if it is no SPARQL. */
	check(query: GraphQuery, signal: AbortSignal): Promise<readonly UnknownTerm[]>;
	/** Classes and properties as used, with counts and examples, as text. */
	ontology(query: OntologyQuery, signal: AbortSignal): Promise<string>;
}

/** The same, answered from what the door may see that the question comes through. */
export interface KnowledgeGraph {
	query(query: AtDoor<GraphQuery>, signal: AbortSignal): Promise<GraphResult>;
	check(query: AtDoor<GraphQuery>, signal: AbortSignal): Promise<readonly UnknownTerm[]>;
	ontology(query: AtDoor<OntologyQuery>, signal: AbortSignal): Promise<string>;
}
