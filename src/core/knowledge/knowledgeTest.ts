export interface KnowledgeTest {
	/** Unique within its file. */
	readonly name: string;
	/** First line of the test in its file, from 1. */
	readonly line: number;
	readonly asks: Asked;
	readonly expectations: readonly Expectation[];
}

export type Asked =
	| { readonly kind: "ask"; readonly question: string }
	| { readonly kind: "search"; readonly query: string }
	| { readonly kind: "query"; readonly sparql: string };

/**
 * Text of an expectation: cited `path:lines`, words in any case, found IRI, name or place, called tool, or
 * criterion.
 */
export type TextKind = "finds" | "criterion" | `${"cites" | "says" | "calls"}${"" | "Not"}`;

export type Expectation = {
	/** Line of the expectation in the file, from 1. */
	readonly line: number;
} & (
	| { readonly kind: TextKind; readonly text: string }
	/** Number of resources that the graph counts, or of rows that the query returns. */
	| { readonly kind: "counts" | "rowCount"; readonly total: number }
	/** A row of the query's result; columns not listed here may have any value. */
	| { readonly kind: "row"; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: "atMost" | "atLeast"; readonly measure: Measure; readonly value: number }
);

/** Calls of tools, rounds with the model, elapsed milliseconds, or tokens that models read and wrote. */
export type Measure = "calls" | "rounds" | "milliseconds" | "tokens";

export interface TestOutcome {
	readonly test: KnowledgeTest;
	/** Empty if the test passed or was not judged. */
	readonly failures: readonly TestFailure[];
	/** The reason why nothing was judged; absent if at least one expectation was judged. */
	readonly unjudged?: string;
	/** Explains to the user which expectations could not be judged. */
	readonly notices: readonly string[];
	readonly measured: Readonly<Record<Measure, number>>;
	readonly answer: string;
}

export interface TestFailure {
	readonly message: string;
	/** Line in the test file, from 1. */
	readonly line: number;
	/** An expected place and the place cited instead in the same file: the text may have moved. */
	readonly moved?: { readonly from: string; readonly to: string };
}
