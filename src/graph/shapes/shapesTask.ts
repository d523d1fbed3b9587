import type { Term } from "../../core/knowledge/rdf.ts";

/** Statements to check against shapes, as numbers of terms: subject, predicate, object, one statement after the other. */
export interface ShapesTask {
	readonly terms: readonly Term[];
	readonly data: Uint32Array;
	/** The statements of the documents that have shapes. */
	readonly shapes: Uint32Array;
}

export interface ShapeResult {
	/** The node that was checked; with a literal, a value of some statement. */
	readonly focus: Term;
	/** IRI; absent if the result is about the thing as a whole, or about a path of several steps. */
	readonly property?: string;
	readonly value?: Term;
	readonly severity: "error" | "warning" | "info";
	readonly message: string;
}
