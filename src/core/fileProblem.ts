/** A problem in a file that describes agents or plugins. */
export interface FileProblem {
	readonly uri: string;
	/** From 1. */
	readonly line: number;
	readonly severity: "error" | "warning";
	readonly message: string;
}
