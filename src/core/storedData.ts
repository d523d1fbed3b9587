export interface StoredPart {
	/** Number of items; for an index, the number of documents. */
	readonly items: number;
	readonly bytes: number;
	/** Path of the data, if outside the extension's own folder. */
	readonly place?: string;
}

export interface StoredData<Part extends string> {
	sizes(signal: AbortSignal): Promise<Readonly<Record<Part, StoredPart>>>;
	/** Resolves after permanent deletion. An interrupted deletion is completed at the next opening. */
	clear(part: Part, signal: AbortSignal): Promise<void>;
}

export type IndexData = StoredData<"index">;
export type SessionData = StoredData<"sessions" | "memory">;
export type PermissionData = StoredData<"rules" | "decisions">;
