export interface KnowledgeTest {
	/** Unique within its file. */
	readonly name: string;
	/** Its first line in the file, from 1. */
	readonly line: number;
	readonly asks: Asked;
	readonly expectations: readonly Expectation[];
}

export type Asked =
	| { readonly kind: "ask"; readonly question: string }
	| { readonly kind: "search"; readonly query: string }
	| { readonly kind: "query"; readonly sparql: string };

/** A place (`path:lines`) to cite, words to say in any case, an IRI, name or place to find, a tool, or a criterion for a model. */
export type TextKind = "finds" | "criterion" | `${"cites" | "says" | "calls"}${"" | "Not"}`;

export type Expectation = {
	/** Its line in the file, from 1. */
	readonly line: number;
} & (
	| { readonly kind: TextKind; readonly text: string }
	/** How many things the graph counts, or rows the query gives. */
	| { readonly kind: "counts" | "rowCount"; readonly total: number }
	/** A row that the query gives; columns that are not named may hold anything. */
	| { readonly kind: "row"; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: "atMost" | "atLeast"; readonly measure: Measure; readonly value: number }
);

/** `calls` of tools, `rounds` with the model, `milliseconds`, `tokens` that models read and wrote. */
export type Measure = "calls" | "rounds" | "milliseconds" | "tokens";

export interface TestOutcome {
	readonly test: KnowledgeTest;
	/** Empty if it passed, or was not judged. */
	readonly failures: readonly TestFailure[];
	/** Why nothing of it was judged; absent if something was. */
	readonly unjudged?: string;
	/** What could not be judged, for the user. */
	readonly notices: readonly string[];
	readonly measured: Readonly<Record<Measure, number>>;
	readonly answer: string;
}

export interface TestFailure {
	/** Shown to the user. */
	readonly message: string;
	/** In the file of the test, from 1. */
	readonly line: number;
	/** An expected place of a file of which other lines were cited: they may have moved. */
	readonly moved?: { readonly from: string; readonly to: string };
}
