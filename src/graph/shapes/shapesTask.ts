import type { Subject, Term } from "../../core/knowledge/rdf.ts";

/** Statements to check against shapes, as numbers of terms: subject, predicate, object, one statement after the other. */
export interface ShapesTask {
	readonly terms: readonly Term[];
	readonly data: Uint32Array;
	/** The statements of the documents that have shapes. */
	readonly shapes: Uint32Array;
}

export interface ShapeResult {
	readonly focus: Subject;
	/** IRI; absent if the result is about the thing as a whole, or about a path of several steps. */
	readonly property?: string;
	readonly value?: Term;
	readonly severity: "error" | "warning";
	readonly message: string;
}
