export interface FileProblem {
	readonly uri: string;
	/** Counted from 1. */
	readonly line: number;
	readonly severity: "error" | "warning";
	readonly message: string;
}
