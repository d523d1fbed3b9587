import type { AtDoor } from "../permission/permission.ts";
import type { DocumentProblems } from "./catalog.ts";
import type { Citation, LineRange } from "./citation.ts";
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

/** A class or property in a query that no document uses. */
export interface UnknownTerm {
	readonly iri: string;
	/** IRIs of the most similar ones that are used, best first. */
	readonly nearest: readonly string[];
}

interface OntologyQuery {
	/** Tokens that the description may take; about four characters each. */
	readonly budgetTokens?: number;
	/** Words that select the classes that matter. */
	readonly focus?: string;
}

/** Queries that the graph answers. Every method rejects with a `Failure` that the user can act on. */
export interface FactGraph<Asker = object> {
	query(query: GraphQuery & Asker, signal: AbortSignal): Promise<GraphResult>;
	/** Classes and properties of a query that are not in use. Rejects if it is no SPARQL. */
	check(query: GraphQuery & Asker, signal: AbortSignal): Promise<readonly UnknownTerm[]>;
	/** Classes and properties as used, with counts and examples, as text. */
	ontology(query: OntologyQuery & Asker, signal: AbortSignal): Promise<string>;
}

/** The same, answered from what the door may see that the question comes through. */
export type KnowledgeGraph = FactGraph<AtDoor<object>>;

export interface Place {
	/** `file:` URI. */
	readonly uri: string;
	readonly lines: LineRange;
}

export interface NamedThing {
	/** Its IRI, or `_:` and the graph's label. */
	readonly id: string;
	readonly label: string;
}

export type ThingKind = "class" | "property" | "thing";

export interface FoundThing extends NamedThing {
	readonly kind: ThingKind;
	/** Names of its classes. */
	readonly types: readonly string[];
	readonly place?: Place;
	/** Another name, by which it was found. */
	readonly alias?: string;
}

export interface ThingView extends NamedThing {
	readonly kind: ThingKind;
	readonly types: readonly NamedThing[];
	/** Each with the first of its values, as texts, and their number. */
	readonly properties: readonly (NamedThing & {
		readonly values: readonly string[];
		readonly total: number;
	})[];
	readonly places: readonly Place[];
	readonly pointers: number;
	/** Ids of the same resource. */
	readonly aliases: readonly string[];
	/** Properties of a class as they are used, the most used first. */
	readonly usual: readonly NamedThing[];
}

interface DescribedThing extends NamedThing {
	readonly types: readonly string[];
	readonly lines: LineRange;
	readonly pointers: number;
}

interface FindQuery {
	/** Prefixes of words, in any order; empty for all resources. */
	readonly words: string;
	readonly kinds?: readonly ThingKind[];
	readonly within?: string;
	/** Only members of this class, also those without an IRI; words and kinds do not count then. */
	readonly type?: string;
	/** 1 to 1000. */
	readonly limit: number;
}

export interface DocumentQuery {
	/** Only paths that contain this, in any case. */
	readonly words: string;
	readonly after?: string;
	readonly limit: number;
}

interface DocumentList {
	/** Paths of indexed documents, in the order of the alphabet. */
	readonly paths: readonly string[];
	readonly isCut: boolean;
	/** Number of all indexed documents, and of the files that are not. */
	readonly indexed: number;
	readonly unindexed: number;
}

export interface Neighbourhood {
	readonly things: readonly FoundThing[];
	/** By the ids of the things; each is stated somewhere. */
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
	/** Resources that are shown already: links to them are returned, but they are not. */
	readonly shown?: readonly string[];
	/** Neighbours at most; 300 if omitted. */
	readonly limit?: number;
}

export interface RenameQuery {
	readonly iri: string;
	readonly to: string;
	/** Files whose text in an editor differs from the disk. */
	readonly open: readonly { readonly uri: string; readonly text: string }[];
}

export interface TextEdit {
	/** Offset in the file. */
	readonly start: number;
	readonly end: number;
	/** The same by lines: an editor may have made the ends of lines alike. */
	readonly from: Position;
	readonly to: Position;
	readonly text: string;
}

/** From 0, as editors count. */
interface Position {
	readonly line: number;
	readonly character: number;
}

export interface Renaming {
	readonly files: readonly { readonly uri: string; readonly edits: readonly TextEdit[] }[];
	/** A warning to show before the user agrees. */
	readonly notice?: string;
}

type Ask<Query, Answer> = (query: AtDoor<Query>, signal: AbortSignal) => Promise<Answer>;

/** What of the things the editor shows. All of it comes from what the door may see. */
export interface Things {
	/** `null` if nothing speaks of it. */
	readonly describe: Ask<{ readonly iri: string }, ThingView | null>;
	/** Resources by their IRIs, without those that no statement mentions. */
	readonly named: Ask<{ readonly iris: readonly string[] }, Readonly<Record<string, FoundThing>>>;
	readonly pointers: Ask<{ readonly iri: string }, readonly Place[]>;
	/** The files that links to these IRIs mean, by IRI; none if the note is missing, several if they are equally near. */
	readonly notes: Ask<{ readonly iris: readonly string[] }, Readonly<Record<string, readonly string[]>>>;
	/** Where other documents have a name of this note in their text without a link. */
	readonly mentions: Ask<{ readonly iri: string }, readonly Place[]>;
	/** In the order of their lines. */
	readonly described: Ask<{ readonly uri: string }, readonly DescribedThing[]>;
	/** The best first. */
	readonly find: Ask<FindQuery, readonly FoundThing[]>;
	readonly documents: Ask<DocumentQuery, DocumentList>;
	/** Resources and their neighbours in both directions. Classes are returned with the resources and do not count as neighbours. */
	readonly neighbours: Ask<NeighbourQuery, Neighbourhood>;
	/** The things with the most links, and the links between them. */
	readonly overview: Ask<{ readonly limit: number }, Neighbourhood>;
	/** A shortest path between two resources, in any direction; empty if they are not connected. */
	readonly path: Ask<{ readonly from: string; readonly to: string }, Neighbourhood>;
	/** The things that lines of documents describe or name. */
	readonly at: Ask<{ readonly places: readonly Place[] }, readonly string[]>;
	/** The edits that give a thing another name in every file that names it. Rejects if one of them would then say something else. */
	readonly rename: Ask<RenameQuery, Renaming>;
	readonly checkShapes: Ask<object, readonly DocumentProblems[]>;
	/** Prefixes that queries may use without declaring them: those of the documents, and well-known ones. */
	readonly prefixes: Ask<object, Readonly<Record<string, string>>>;
}
