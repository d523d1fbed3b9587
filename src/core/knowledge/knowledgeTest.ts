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

/** Expected: cited `path:lines`, words in any case, a found IRI, name or place, a tool, a criterion. */
export type TextKind = "finds" | "criterion" | `${"cites" | "says" | "calls"}${"" | "Not"}`;

export type Expectation = {
	/** Line of the expectation in the file, from 1. */
	readonly line: number;
} & (
	| { readonly kind: TextKind; readonly text: string }
	/** Number of resources that the graph counts, or of the query's rows. */
	| { readonly kind: "counts" | "rowCount"; readonly total: number }
	/** A row of the query's result; columns that are not named may have any value. */
	| { readonly kind: "row"; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: "atMost" | "atLeast"; readonly measure: Measure; readonly value: number }
);

/** Calls of tools, rounds with the model, elapsed milliseconds, or tokens that models read and wrote. */
export type Measure = "calls" | "rounds" | "milliseconds" | "tokens";

export interface TestOutcome {
	readonly test: KnowledgeTest;
	/** Empty if the test passed or was not judged. */
	readonly failures: readonly TestFailure[];
	/** The reason why nothing was judged; absent if something was. */
	readonly unjudged?: string;
	/** Descriptions, for the user, of what could not be judged. */
	readonly notices: readonly string[];
	readonly measured: Readonly<Record<Measure, number>>;
	readonly answer: string;
}

export interface TestFailure {
	/** Shown to the user. */
	readonly message: string;
	/** Line in the test file, from 1. */
	readonly line: number;
	/** An expected place, if other lines of its file were cited: the text may have moved. */
	readonly moved?: { readonly from: string; readonly to: string };
}
