export interface StoredPart {
	/** Number of items; an index counts its documents. */
	readonly items: number;
	readonly bytes: number;
	/** Its location, if outside of the extension's own folder. */
	readonly place?: string;
}

export interface StoredData<Part extends string> {
	sizes(signal: AbortSignal): Promise<Readonly<Record<Part, StoredPart>>>;
	/** Resolves when it is gone for good. One that is cut short is ended when the data is opened again. */
	clear(part: Part, signal: AbortSignal): Promise<void>;
}

export type IndexData = StoredData<"index">;
export type SessionData = StoredData<"sessions" | "memory">;
export type PermissionData = StoredData<"rules" | "decisions">;
