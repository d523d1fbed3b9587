/** Something that is kept on the disk and that a person can clear. */
export interface StoredPart {
	/** How many there are; of an index, its documents. */
	readonly items: number;
	readonly bytes: number;
	/** Where it lies, where that is not the extension's own folder. */
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
