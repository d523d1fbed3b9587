import type { FromChannel } from "../permission/permission.ts";
import type { DocumentProblems } from "./catalog.ts";
import type { Citation, LineRange } from "./citation.ts";
import type { Quad, Term } from "./rdf.ts";

interface GraphQuery {
	/** SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE. */
	readonly sparql: string;
	/** Maximum number of rows or statements, 1 to 10,000. */
	readonly limit?: number;
}

export type GraphAnswer =
	| {
			readonly kind: "rows";
			readonly variables: readonly string[];
			/** A row omits unbound variables. */
			readonly rows: readonly Readonly<Record<string, Term>>[];
			/** Number of all rows, if known. */
			readonly total?: number;
			readonly truncated: boolean;
	  }
	| { readonly kind: "boolean"; readonly value: boolean }
	| { readonly kind: "quads"; readonly quads: readonly Quad[]; readonly truncated: boolean };

export interface GraphResult {
	readonly answer: GraphAnswer;
	/** Whether statements may be missing: a policy applies, or files are not indexed yet. */
	readonly isPartial?: boolean;
	/** Places that describe the resources of the first rows. */
	readonly sources: readonly Citation[];
	readonly notices: readonly string[];
}

export interface UnknownTerm {
	readonly iri: string;
	/** IRIs of the most similar terms in use, best first. */
	readonly nearest: readonly string[];
}

interface OntologyQuery {
	/** Maximum length of the description in tokens of about four characters. */
	readonly budgetTokens?: number;
	/** Words that select the relevant classes. */
	readonly focus?: string;
}

/** Queries to the graph. Every method rejects with a `Failure` that the user can act on. */
export interface FactGraph<Asker = object> {
	query(query: GraphQuery & Asker, signal: AbortSignal): Promise<GraphResult>;
	/** Classes and properties of a query that no document uses. Rejects if the query is not valid SPARQL. */
	check(query: GraphQuery & Asker, signal: AbortSignal): Promise<readonly UnknownTerm[]>;
	ontology(query: OntologyQuery & Asker, signal: AbortSignal): Promise<string>;
}

/** The fact graph restricted to what the asking channel may see. */
export type KnowledgeGraph = FactGraph<FromChannel<object>>;

export interface Place {
	/** `file:` URI. */
	readonly uri: string;
	readonly lines: LineRange;
}

export interface NamedThing {
	/** The IRI, or `_:` and the graph's blank-node label. */
	readonly id: string;
	readonly label: string;
}

export type ThingKind = "class" | "property" | "thing";

export interface FoundThing extends NamedThing {
	readonly kind: ThingKind;
	/** Names of the resource's classes. */
	readonly types: readonly string[];
	readonly place?: Place;
	/** The alternative name by which the resource was found. */
	readonly alias?: string;
}

export interface ThingView extends NamedThing {
	readonly kind: ThingKind;
	readonly types: readonly NamedThing[];
	/** Each property with its first values as text and the number of all values. */
	readonly properties: readonly (NamedThing & {
		readonly values: readonly string[];
		readonly total: number;
	})[];
	readonly places: readonly Place[];
	readonly pointers: number;
	/** Ids of equivalent resources. */
	readonly aliases: readonly string[];
	/** For a class: properties of its members, most used first. */
	readonly usual: readonly NamedThing[];
}

interface DescribedThing extends NamedThing {
	readonly types: readonly string[];
	readonly lines: LineRange;
	readonly pointers: number;
}

interface FindQuery {
	/** Prefixes of words in any order; empty for all resources. */
	readonly words: string;
	readonly kinds?: readonly ThingKind[];
	readonly within?: string;
	/** Only members of this class, including blank nodes. If set, `words` and `kinds` are ignored. */
	readonly type?: string;
	/** 1 to 1000. */
	readonly limit: number;
}

export interface DocumentQuery {
	/** Only paths that contain this text, ignoring case. */
	readonly words: string;
	readonly after?: string;
	readonly limit: number;
}

interface DocumentList {
	/** Paths of indexed documents, in alphabetical order. */
	readonly paths: readonly string[];
	readonly isCut: boolean;
	/** Number of all indexed documents; `unindexed` is the number of all other files. */
	readonly indexed: number;
	readonly unindexed: number;
}

export interface Neighbourhood {
	readonly things: readonly FoundThing[];
	/** Links between things, by id. `place` is a place that states the link. */
	readonly links: readonly {
		readonly from: string;
		readonly to: string;
		readonly property: NamedThing;
		readonly place: Place;
	}[];
	readonly left: number;
}

export interface NeighbourQuery {
	readonly iris: readonly string[];
	/** IRIs of resources already shown. Links to these resources are returned, but not the resources. */
	readonly shown?: readonly string[];
	/** Maximum number of neighbors; defaults to 300. */
	readonly limit?: number;
}

export interface RenameQuery {
	readonly iri: string;
	readonly to: string;
	/** Files with unsaved changes in an editor. */
	readonly open: readonly { readonly uri: string; readonly text: string }[];
}

export interface TextEdit {
	/** Offset in the file. */
	readonly start: number;
	readonly end: number;
	/** Start and end as line positions, because an editor may have normalized the line endings. */
	readonly from: Position;
	readonly to: Position;
	readonly text: string;
}

/** Counted from 0, as in editors. */
interface Position {
	readonly line: number;
	readonly character: number;
}

export interface Renaming {
	readonly files: readonly { readonly uri: string; readonly edits: readonly TextEdit[] }[];
	readonly notice?: string;
}

type Ask<Query, Answer> = (query: FromChannel<Query>, signal: AbortSignal) => Promise<Answer>;

/** Resources as the editor shows them, restricted to what the channel may see. */
export interface Things {
	/** `null` if no statement mentions the IRI. */
	readonly describe: Ask<{ readonly iri: string }, ThingView | null>;
	/** Resources by IRI. IRIs that no statement mentions are omitted. */
	readonly named: Ask<{ readonly iris: readonly string[] }, Readonly<Record<string, FoundThing>>>;
	readonly pointers: Ask<{ readonly iri: string }, readonly Place[]>;
	/** Files that links to these IRIs refer to, by IRI; empty if no file matches, several if equally near files match. */
	readonly notes: Ask<{ readonly iris: readonly string[] }, Readonly<Record<string, readonly string[]>>>;
	/** Places in other documents that mention the note's name without linking to the note. */
	readonly mentions: Ask<{ readonly iri: string }, readonly Place[]>;
	/** Resources that a document describes, in line order. */
	readonly described: Ask<{ readonly uri: string }, readonly DescribedThing[]>;
	/** Matching resources, best first. */
	readonly find: Ask<FindQuery, readonly FoundThing[]>;
	readonly documents: Ask<DocumentQuery, DocumentList>;
	/** Resources and their neighbors in both directions. Classes are added, but do not count as neighbors. */
	readonly neighbours: Ask<NeighbourQuery, Neighbourhood>;
	/** The resources with the most links, and the links between them. */
	readonly overview: Ask<{ readonly limit: number }, Neighbourhood>;
	/** A shortest path between two resources along links in any direction; empty if no path connects them. */
	readonly path: Ask<{ readonly from: string; readonly to: string }, Neighbourhood>;
	/** Ids of the resources that the given lines describe or name. */
	readonly at: Ask<{ readonly places: readonly Place[] }, readonly string[]>;
	/** The edits that rename a resource in all files. Rejects if an edit would change other statements. */
	readonly rename: Ask<RenameQuery, Renaming>;
	readonly checkShapes: Ask<object, readonly DocumentProblems[]>;
	/** Prefixes that queries may use without a declaration: prefixes of the documents and well-known prefixes. */
	readonly prefixes: Ask<object, Readonly<Record<string, string>>>;
}
