/** A value in a text that may become a parameter. */
export interface DraftPart {
	/** What the parameter would be called; no two of a text are called the same. */
	readonly name: string;
	readonly type: "string" | "iri" | "int" | "float";
	/** What stands there now. */
	readonly value: string;
	readonly start: number;
	readonly end: number;
	/** Whether it is likely to change from call to call. */
	readonly isLikely: boolean;
}
