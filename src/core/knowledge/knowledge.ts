import type { FromChannel } from "../permission/permission.ts";
import type { Citation, Place } from "./citation.ts";
import type { SectionForm } from "./sectionForm.ts";

export interface Folder {
	/** `file:` URI without a trailing slash. */
	readonly uri: string;
	readonly name: string;
	/** Whether the user added this folder from outside the workspace. Agents and plugins in such a folder are ignored. */
	readonly isExtra?: boolean;
}

/** Indexes to search: `content` has text and graph, `descriptor` has descriptions by a language model. */
export const SEARCHED_INDEXES = ["content", "descriptor", "both"] as const;

export type SearchedIndex = (typeof SEARCHED_INDEXES)[number];

/** Options of a search. By default, a search covers both indexes without limits. */
export interface SearchChoice {
	readonly index?: SearchedIndex | undefined;
	/** Minimum score of hits, 0 to 1. */
	readonly threshold?: number | undefined;
	/** Estimated maximum number of tokens of all hits together; the best hits are kept. */
	readonly maxTokens?: number | undefined;
}

export interface SearchQuery extends SearchChoice {
	readonly query: string;
	/** Further questions to search together with `query`. The best hits of all questions alternate, without duplicates. */
	readonly queries?: readonly string[] | undefined;
	/** Maximum number of hits, 1 to 100. */
	readonly limit?: number;
	/** Only passages of resources with one of these classes (IRI or last segment, ignoring case). */
	readonly types?: readonly string[] | undefined;
	/** Path prefixes: only passages of files below these paths are found. */
	readonly sources?: readonly string[] | undefined;
	/** The previous question, for a follow-up question that does not name its subject. */
	readonly about?: string;
	readonly wantsAnswer?: boolean;
	/** Maximum words of a hit, if an answer is wanted. A longer hit is shortened to its most relevant part. */
	readonly mostWords?: number;
}

export interface Hit extends ReadPart {
	readonly id: string;
	/** Parts of the text in order; each part is ranked and quoted separately. */
	readonly sections?: readonly {
		readonly title: string;
		readonly form: SectionForm;
		readonly lines: Place;
		readonly text: string;
	}[];
	readonly iri?: string;
	/** Fused score, 0 to 1. */
	readonly score: number;
	/** The rank in each search method that found the hit, from 1. */
	readonly why: Readonly<Partial<Record<Leg, number>>>;
	/** The path in the graph from a name in the query: `Ada Byron → worksFor → Analytical Society`. */
	readonly via?: string;
	/** Further places about the same resource. `text` is what each place adds. */
	readonly others?: readonly (Citation & { readonly uri: string; readonly text: string })[];
}

/** Search methods: `entity` finds passages about named resources, `descriptor` uses a model's descriptions. */
export type Leg = "vector" | "text" | "entity" | "descriptor";

export interface Listing {
	/** A comparison lists both resources, the better resource first. */
	readonly kind: "count" | "list" | "value" | "extreme" | "comparison" | "sum" | "mean";
	/** What is listed: `Person linked with "Analytical Society"`; the property in a comparison. */
	readonly what: string;
	/** Exact number of matches within `SearchResult.extent`; 2 in a comparison of equal values. */
	readonly total: number;
	readonly added?: { readonly name: string; readonly value: string };
	/** In alphabetical order. */
	readonly items: readonly ListedThing[];
	readonly truncated: boolean;
}

export interface ListedThing {
	readonly label: string;
	readonly iri?: string;
	readonly values?: readonly { readonly name: string; readonly value: string }[];
	/** The place with the most statements about the resource. */
	readonly citation: Citation;
}

/**
 * Documents that a count covers: `read` are the documents read so far, `visible` the documents that no policy
 * hides.
 */
export type Extent = "read" | "visible";

export interface SearchResult {
	readonly hits: readonly Hit[];
	/** Number of passages with every content word of the first query; also 0 without a word search. */
	readonly total: number;
	readonly isAtLeast?: boolean;
	readonly truncated: boolean;
	/** Set if no hit is a good match: the hits are only the nearest passages. */
	readonly isWeak?: true;
	/** Absent if listings and totals cover all documents. */
	readonly extent?: Extent;
	/** The graph's answer, if the query counts or lists resources that the graph knows. */
	readonly listing?: Listing;
	/** Listings for the further queries or for the parts of a compound question, in order. */
	readonly otherListings?: readonly Listing[];
	readonly answer?: Answer;
	/** Number of files read and of all files, while the index is being built. */
	readonly unread?: { readonly done: number; readonly total: number };
	/** Warnings about the answer, for example a missing search method or an unfinished index. */
	readonly notices: readonly string[];
}

export interface ReadQuery {
	/** An IRI, a path with optional lines (`docs/a.md:3-9`), a `file:` URI, or a resource's exact label. */
	readonly target: string;
	readonly maxCharacters?: number;
}

export interface ReadResult {
	readonly parts: readonly ReadPart[];
	readonly totalCharacters: number;
	readonly truncated: boolean;
	/** One line per property of a resource, without source lines, because several places may state a property. */
	readonly links: readonly string[];
	/** Similar names, if nothing was found. */
	readonly suggestions: readonly string[];
}

export interface ReadPart {
	readonly uri: string;
	/** Path for users and models, relative to the folder. Begins with the folder's name if there are several folders. */
	readonly path: string;
	readonly lines: Place;
	readonly title: string;
	readonly text: string;
}

export interface IndexProgress {
	readonly done: number;
	readonly total: number;
	/** Number of documents that are searchable so far. */
	readonly found: number;
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
	/** Number of documents that are not searchable, by reason. */
	readonly skipped: Readonly<Record<string, number>>;
	readonly failed: readonly { readonly path: string; readonly reason: string }[];
	/** Number of indexed documents with unreadable parts. */
	readonly flawed: number;
	/** Progress of embedding with the chosen model; absent if there is nothing to embed. */
	readonly embedding?: EmbeddingProgress;
}

export interface EmbeddingProgress {
	/** Number of passages. */
	readonly done: number;
	readonly total: number;
	/** Remaining milliseconds, estimated from the pace so far; absent at the beginning. */
	readonly leftMs?: number;
}

export interface IndexStatus extends IndexContents {
	readonly state: "empty" | "indexing" | "paused" | "ready";
	readonly described: number;
	readonly embedder: string;
	/** `memory` searches a copy of the index in memory; `lancedb` searches the stored index with LanceDB. */
	readonly engine: "memory" | "lancedb";
	readonly legs: readonly Leg[];
	readonly bytesOnDisk: number;
	readonly notices: readonly string[];
}

export interface IndexPriority {
	/** `file:` URIs to index first. */
	readonly uris: readonly string[];
	/** Lower-case words: files with these words in their names are indexed next. */
	readonly words: readonly string[];
}

/** Queries to the indexes. Every method rejects with a `Failure` that the user can act on. */
export interface Knowledge extends KnowledgeReader {
	search(query: FromChannel<SearchQuery>, signal: AbortSignal): Promise<SearchResult>;
	/** Updates the index to match the files. `rebuild` reads all files again; searches use the old index meanwhile. */
	index(
		options: { readonly rebuild: boolean; readonly first?: IndexPriority },
		onProgress: (progress: IndexProgress) => void,
		signal: AbortSignal,
	): Promise<IndexReport>;
	status(signal: AbortSignal): Promise<IndexStatus>;
}

export interface KnowledgeReader {
	read(query: FromChannel<ReadQuery>, signal: AbortSignal): Promise<ReadResult>;
}

export interface Answer {
	/** `overview` summarizes the folder's contents. With `nothing`, the quotes are only the nearest places. */
	readonly kind: "answer" | "overview" | "nothing";
	/** The language of the question; absent for English. */
	readonly language?: string;
	/** Best first. */
	readonly quotes: readonly Quote[];
	readonly overview?: Overview;
}

export interface Quote {
	readonly citation: Citation;
	/** Headings, or a resource and its property, if the text does not name its subject. */
	readonly lead?: string;
	readonly form: SectionForm;
	readonly parts: readonly QuotePart[];
}

export interface QuotePart {
	readonly text: string;
	/** Whether this part answers; the other parts give context. */
	readonly isBest?: true;
}

export interface Overview {
	/** Classes (with IRIs) and file extensions of documents, most frequent first. */
	readonly kinds: readonly { readonly name: string; readonly count: number; readonly iri?: string }[];
	readonly questions: readonly string[];
}
