import type { DenyRule } from "./denyRule.ts";
import type { DocumentRecord, Problem, Resource } from "./document.ts";

export interface FolderListing {
	readonly folders: readonly FolderEntry[];
	readonly documents: readonly DocumentRecord[];
}

export interface FolderEntry {
	readonly uri: string;
	readonly name: string;
	/** Number of searchable documents below the folder. `failed` are unreadable, `flawed` are partly readable. */
	readonly indexed: number;
	readonly failed: number;
	readonly flawed: number;
}

export interface DocumentProblems {
	readonly uri: string;
	readonly problems: readonly Problem[];
}

export interface SourcedPolicy extends DenyRule {
	readonly source: string;
}

export interface Catalog {
	browse(uri: string, signal: AbortSignal): Promise<FolderListing>;
	/** The first searchable documents with the extension `ending`; without `ending`, the first unindexed documents. */
	documents(of: { readonly ending?: string }, signal: AbortSignal): Promise<readonly DocumentRecord[]>;
	/** The resources that a document describes, in line order. */
	resources(uri: string, signal: AbortSignal): Promise<readonly Resource[]>;
	/** Explains in one sentence whether a file is in the index and, if not, why. */
	explain(uri: string, signal: AbortSignal): Promise<string>;
	/** Problems to fix in the configuration and the documents (`files`) or between documents (`links`). */
	problems(of: "files" | "links", signal: AbortSignal): Promise<readonly DocumentProblems[]>;
	/** Indexes these files or folders again, even if they are unchanged. */
	reindex(uris: readonly string[], signal: AbortSignal): Promise<void>;
	/** Pauses or resumes indexing; the current file is still completed. Files that change meanwhile are indexed later. */
	pause(paused: boolean, signal: AbortSignal): Promise<void>;
	policies(signal: AbortSignal): Promise<readonly SourcedPolicy[]>;
}
