/** A question to the knowledge base, and what must come of it. */
export interface KnowledgeTest {
	/** Unique within its file. */
	readonly name: string;
	/** Its first line in the file, from 1. */
	readonly line: number;
	readonly asks: Asked;
	readonly expectations: readonly Expectation[];
}

/** A question to the agent, a search, or a SPARQL query. */
export type Asked =
	| { readonly kind: "ask"; readonly question: string }
	| { readonly kind: "search"; readonly query: string }
	| { readonly kind: "query"; readonly sparql: string };

export type Expectation = {
	/** Its line in the file, from 1. */
	readonly line: number;
} /** `path` or `path:lines`: the answer cites it, or does not. */ & (
	| { readonly kind: "cites" | "citesNot"; readonly place: string }
	/** Words of the answer, in any case. */
	| { readonly kind: "says" | "saysNot"; readonly words: string }
	/** An IRI, a name or a place among what was found on the way. */
	| { readonly kind: "finds"; readonly what: string }
	/** How many things the graph counts. */
	| { readonly kind: "counts"; readonly total: number }
	/** How many rows the query gives. */
	| { readonly kind: "rowCount"; readonly total: number }
	/** A row that the query gives; columns that are not named may hold anything. */
	| { readonly kind: "row"; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: "calls" | "callsNot"; readonly tool: string }
	| { readonly kind: "atMost" | "atLeast"; readonly measure: Measure; readonly value: number }
	/** In words, to be judged by a language model. */
	| { readonly kind: "criterion"; readonly text: string }
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
