import type { AtDoor } from "../permission/permission.ts";
import type { Citation, Place } from "./citation.ts";
import type { SectionForm } from "./sectionForm.ts";

export interface Folder {
	/** `file:` URI without a trailing slash. */
	readonly uri: string;
	readonly name: string;
	/** Whether the user added it to the knowledge from outside the workspace; nothing else is read from it. */
	readonly isExtra?: boolean;
}

/** What is searched: `content` is text and graph, `descriptor` a language model's description. */
export const SEARCHED_INDEXES = ["content", "descriptor", "both"] as const;

export type SearchedIndex = (typeof SEARCHED_INDEXES)[number];

/** Defaults for a search. If omitted here, too: both indexes, all sources, and no limit. */
export interface SearchChoice {
	readonly index?: SearchedIndex | undefined;
	/** Only hits with this score or more, 0 to 1. */
	readonly threshold?: number | undefined;
	/** Only the best hits that take no more tokens together, by an estimate. */
	readonly maxTokens?: number | undefined;
}

export interface SearchQuery extends SearchChoice {
	readonly query: string;
	/** Further questions that are answered together with it: the best hits of each in turns, each place once. */
	readonly queries?: readonly string[] | undefined;
	/** At most this many hits; 1 to 100. */
	readonly limit?: number;
	/** Only passages of resources with one of these classes (IRI or last segment, any case). */
	readonly types?: readonly string[] | undefined;
	/** Only passages of files whose path starts with one of these. */
	readonly sources?: readonly string[] | undefined;
	/** What a question that names nothing itself goes on from: the question before it. */
	readonly about?: string;
	/** Whether the result says which sections answer. */
	readonly wantsAnswer?: boolean;
	/** With that: words to which a longer hit is shortened, to what says most about the query. */
	readonly mostWords?: number;
}

export interface Hit extends ReadPart {
	readonly id: string;
	/** Parts of the text that are ranked and quoted by themselves, in order. */
	readonly sections?: readonly {
		readonly title: string;
		readonly form: SectionForm;
		readonly lines: Place;
		readonly text: string;
	}[];
	readonly iri?: string;
	/** Fused score, 0 to 1. */
	readonly score: number;
	/** How it was found: the rank (from 1) in every leg that found it. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
	/** How the graph leads here from a name in the query: `Ada Byron → worksFor → Analytical Society`. */
	readonly via?: string;
	/** Other places that speak of the same thing, with what they add. */
	readonly others?: readonly (Citation & { readonly uri: string; readonly text: string })[];
}

/** `entity`: passages about named things and their neighbors. `descriptor`: by a language model's description. */
export type Leg = "vector" | "text" | "entity" | "descriptor";

/** Things of the graph that a query counts, lists or compares. */
export interface Listing {
	/** What the question asks for. In a comparison both resources are items, the better one first. */
	readonly kind: "count" | "list" | "value" | "extreme" | "comparison" | "sum" | "mean";
	/** What was counted, in words: `Person linked with "Analytical Society"`; the property in a comparison. */
	readonly what: string;
	/** Exact number of matches within `SearchResult.extent`; in a comparison 2 if both are equal. */
	readonly total: number;
	/** Their sum or mean, by the name of what is added up. */
	readonly added?: { readonly name: string; readonly value: string };
	/** In the order of the alphabet. */
	readonly items: readonly ListedThing[];
	readonly truncated: boolean;
}

export interface ListedThing {
	readonly label: string;
	readonly iri?: string;
	readonly values?: readonly { readonly name: string; readonly value: string }[];
	/** The place with the most statements about it. */
	readonly citation: Citation;
}

/** What counts cover: the documents read so far, or what a policy lets the channel see. */
export type Extent = "read" | "visible";

export interface SearchResult {
	readonly hits: readonly Hit[];
	/** Number of passages with every word of the (first) query, words of grammar aside; 0 also if words were not searched. */
	readonly total: number;
	/** Whether there may be more than `total`: not all were counted. */
	readonly isAtLeast?: boolean;
	readonly truncated: boolean;
	/** Nothing is a good match: the hits are only the nearest. */
	readonly isWeak?: true;
	/** Absent if listings and totals cover all documents. */
	readonly extent?: Extent;
	/** The answer of the graph, if the query counts or lists things that it knows. */
	readonly listing?: Listing;
	/** Listings for further queries, or for the parts of a question that asks for several things, in order. */
	readonly otherListings?: readonly Listing[];
	readonly answer?: Answer;
	/** Files read so far, and all of them, while the index is being built. */
	readonly unread?: { readonly done: number; readonly total: number };
	/** What the user must know to judge the answer: a missing leg, an index that is still being built. */
	readonly notices: readonly string[];
}

export interface ReadQuery {
	/** An IRI, a path with or without lines (`docs/a.md:3-9`), a `file:` URI, or the exact label of a resource. */
	readonly target: string;
	readonly maxCharacters?: number;
}

export interface ReadResult {
	readonly parts: readonly ReadPart[];
	readonly totalCharacters: number;
	readonly truncated: boolean;
	/** A line for each property of a resource, without source lines, since several places state it. */
	readonly links: readonly string[];
	/** Nearest names if nothing was found. */
	readonly suggestions: readonly string[];
}

export interface ReadPart {
	readonly uri: string;
	/** Path for users and models: relative to its folder, preceded by the folder's name if there are several folders. */
	readonly path: string;
	readonly lines: Place;
	readonly title: string;
	readonly text: string;
}

export interface IndexProgress {
	readonly done: number;
	readonly total: number;
	/** Documents that can be found by now. */
	readonly found: number;
	/** Path of the file at work. */
	readonly current: string;
}

export interface IndexRun {
	readonly indexed: number;
	readonly unchanged: number;
	readonly removed: number;
	readonly skipped: number;
	readonly failed: number;
	readonly passages: number;
	readonly durationMs: number;
}

export interface IndexReport extends IndexRun {
	readonly contents: IndexContents;
}

export interface IndexContents {
	readonly documents: number;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	/** Documents that are not searchable, by the reason. */
	readonly skipped: Readonly<Record<string, number>>;
	readonly failed: readonly { readonly path: string; readonly reason: string }[];
	/** Documents with something in them that could not be read. */
	readonly flawed: number;
	/** How far the vectors of the chosen model are; absent if there is nothing to make. */
	readonly embedding?: EmbeddingProgress;
}

export interface EmbeddingProgress {
	/** Passages. */
	readonly done: number;
	readonly total: number;
	/** Estimated by the pace so far; absent at the beginning. */
	readonly leftMs?: number;
}

export interface IndexStatus extends IndexContents {
	readonly state: "empty" | "indexing" | "paused" | "ready";
	/** How many of the documents have a description by a language model. */
	readonly described: number;
	readonly embedder: string;
	/** The engine that searches the index: a copy in memory, or LanceDB on the stored index. */
	readonly engine: "memory" | "lancedb";
	readonly legs: readonly Leg[];
	readonly bytesOnDisk: number;
	readonly notices: readonly string[];
}

export interface IndexPriority {
	/** `file:` URIs. */
	readonly uris: readonly string[];
	/** What the names of other files may have, in lower case. */
	readonly words: readonly string[];
}

/** Queries that the indexes answer. Every method rejects with a `Failure` that the user can act on. */
export interface Knowledge extends KnowledgeReader {
	search(query: AtDoor<SearchQuery>, signal: AbortSignal): Promise<SearchResult>;
	/** Brings the index in step with the files. `rebuild` reads every file again; the present index serves until then. */
	index(
		options: { readonly rebuild: boolean; readonly first?: IndexPriority },
		onProgress: (progress: IndexProgress) => void,
		signal: AbortSignal,
	): Promise<IndexReport>;
	status(signal: AbortSignal): Promise<IndexStatus>;
}

export interface KnowledgeReader {
	read(query: AtDoor<ReadQuery>, signal: AbortSignal): Promise<ReadResult>;
}

export interface Answer {
	/** `overview`: what the folder is about; `nothing`: the quotes are only the nearest places. */
	readonly kind: "answer" | "overview" | "nothing";
	/** The language of the question, if it is not English. */
	readonly language?: string;
	/** Best first. */
	readonly quotes: readonly Quote[];
	/** Parts of an overview: kinds of things with their number, and questions that the folder answers. */
	readonly overview?: Overview;
}

export interface Quote {
	readonly citation: Citation;
	/** What it is about, if the text does not say so: headings, or a thing and its property. */
	readonly lead?: string;
	readonly form: SectionForm;
	readonly parts: readonly QuotePart[];
}

export interface QuotePart {
	readonly text: string;
	/** Whether it answers; the other parts are around it. */
	readonly isBest?: true;
}

export interface Overview {
	/** Classes of the graph, each with its IRI, and endings of documents, the most frequent first. */
	readonly kinds: readonly { readonly name: string; readonly count: number; readonly iri?: string }[];
	readonly questions: readonly string[];
}
