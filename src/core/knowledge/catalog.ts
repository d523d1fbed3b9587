import type { DenyRule } from "./denyRule.ts";
import type { DocumentRecord, Problem, Resource } from "./document.ts";

export interface FolderListing {
	readonly folders: readonly FolderEntry[];
	readonly documents: readonly DocumentRecord[];
}

export interface FolderEntry {
	readonly uri: string;
	readonly name: string;
	/** Documents below it: searchable, failed, and searchable only in part. */
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
	/** By the folder's URI. */
	browse(uri: string, signal: AbortSignal): Promise<FolderListing>;
	/** The first searchable documents whose URI ends so, or of those that are not in the index. */
	documents(of: { readonly ending?: string }, signal: AbortSignal): Promise<readonly DocumentRecord[]>;
	/** What a document describes, in the order of its lines. */
	resources(uri: string, signal: AbortSignal): Promise<readonly Resource[]>;
	/** Whether a file is in the index, and if not, why, in one sentence. */
	explain(uri: string, signal: AbortSignal): Promise<string>;
	/** Problems to fix in the folders' configuration and each document, or between documents. */
	problems(of: "files" | "links", signal: AbortSignal): Promise<readonly DocumentProblems[]>;
	/** Brings just these files or folders in step with the disk, changed or not. */
	reindex(uris: readonly string[], signal: AbortSignal): Promise<void>;
	/** Makes the indexing wait between two files, changes included, or lets it go on; nothing is lost meanwhile. */
	pause(paused: boolean, signal: AbortSignal): Promise<void>;
	policies(signal: AbortSignal): Promise<readonly SourcedPolicy[]>;
}
