import { Failure } from "../../base/failure.ts";
import { declarePrefixes, undeclaredPrefixes } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { replaceCasts } from "./sparqlDialect.ts";

export interface SparqlRequest {
	readonly text: string;
	readonly form: "SELECT" | "ASK" | "CONSTRUCT" | "DESCRIBE";
	/** It names graphs (`GRAPH`, `FROM`), so it must see every document as a graph of its own. */
	readonly namesGraphs: boolean;
	/** It says itself which graphs it looks at (`FROM`). */
	readonly choosesDataset: boolean;
	/** `SELECT *`. */
	readonly selectsAll: boolean;
}

/** Longer queries are refused: no person and no model writes them. */
const MAX_CHARACTERS = 100_000;

/** Far more than a query needs, and far less than overflows Oxigraph's stack, which would cost the thread. */
const MAX_NESTING = 100;

const FORMS = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"] as const;
const UPDATES = ["INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"];

/** Throws a `Failure` for what is not a reading query of this graph alone. The engine judges the rest of the syntax. */
export function readSparqlRequest(text: string): SparqlRequest {
	if (text.length > MAX_CHARACTERS)
		throw new Failure("BAD_INPUT", `The query is longer than ${MAX_CHARACTERS} characters. Shorten it.`);
	const tokens = tokensOf(text);
	if (deepestNesting(tokens) > MAX_NESTING)
		throw new Failure("BAD_INPUT", `The query has brackets nested ${MAX_NESTING} levels deep. Simplify it.`);
	const [verb, ...rest] = tokens.slice(endOfPrologue(tokens));
	if (isWord(verb, ...UPDATES))
		throw new Failure(
			"BAD_INPUT",
			`The graph is read-only and follows the files: ${verb?.text} is refused. Edit the files instead.`,
		);
	if (tokens.some((token) => isWord(token, "SERVICE")))
		throw new Failure("BAD_INPUT", "SERVICE is refused: a query may only ask this graph.");
	const form = FORMS.find((word) => isWord(verb, word));
	if (!form) throw new Failure("BAD_INPUT", "A query must begin with SELECT, ASK, CONSTRUCT, or DESCRIBE.");
	const undeclared = undeclaredPrefixes(tokens)[0];
	if (undeclared !== undefined)
		throw new Failure(
			"BAD_INPUT",
			`The prefix ${undeclared}: is not declared. Put PREFIX ${undeclared}: <…> before the query, or write the IRI.`,
		);
	const choosesDataset = tokens.some((token) => isWord(token, "FROM"));
	const namesGraphs = choosesDataset || tokens.some((token) => isWord(token, "GRAPH"));
	const selectsAll = rest.find((token) => !isWord(token, "DISTINCT", "REDUCED"))?.text === "*";
	return { text: replaceCasts(text), form, namesGraphs, choosesDataset, selectsAll };
}

/** The same check, where prefixes that are not declared may be known when the query runs. */
export function checkSparqlRequest(text: string): void {
	const undeclared = undeclaredPrefixes(tokensOf(text));
	readSparqlRequest(declarePrefixes(text, new Map(undeclared.map((prefix) => [prefix, "urn:"]))));
}

/** The index of the first token after the `BASE`, `PREFIX` and `VERSION` declarations. */
export function endOfPrologue(tokens: readonly Token[]): number {
	let index = 0;
	for (;;) {
		if (isWord(tokens[index], "PREFIX")) index += 3;
		else if (isWord(tokens[index], "BASE", "VERSION")) index += 2;
		else return index;
	}
}

function deepestNesting(tokens: readonly Token[]): number {
	let depth = 0;
	let deepest = 0;
	for (const { text } of tokens) {
		if ("{([".includes(text)) deepest = Math.max(deepest, ++depth);
		if ("})]".includes(text)) depth--;
	}
	return deepest;
}
