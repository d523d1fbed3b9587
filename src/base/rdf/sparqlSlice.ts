import { isWord, type Token, tokensOf } from "./sparqlTokens.ts";

/** The LIMIT and OFFSET of a query itself, not those of its subqueries; NaN if absent. */
export function sliceOf(query: string): { readonly limit: number; readonly offset: number } {
	const tokens = outermost(tokensOf(query));
	const after = (word: string) => Number(tokens[tokens.findIndex((token) => isWord(token, word)) + 1]?.text);
	return { limit: after("LIMIT"), offset: after("OFFSET") };
}

/** The tokens outside of braces, and the closing braces. */
export function outermost(tokens: readonly Token[]): Token[] {
	let depth = 0;
	return tokens.filter(({ text }) => {
		if (text === "{") depth++;
		if (text === "}") depth--;
		return depth === 0;
	});
}
