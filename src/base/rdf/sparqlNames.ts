import { isWord, type Token, tokensOf } from "./sparqlTokens.ts";

export function declaredPrefixes(tokens: readonly Token[]): Map<string, string> {
	const prefixes = new Map<string, string>();
	for (const [index, token] of tokens.entries()) {
		const [name, iri] = tokens.slice(index + 1, index + 3);
		if (isWord(token, "PREFIX") && name?.kind === "name" && iri?.kind === "iri")
			prefixes.set(name.text.slice(0, -1), iri.text.slice(1, -1));
	}
	return prefixes;
}

/** IRI of a token; `undefined` for other tokens and undeclared prefixes. */
export function iriOf({ kind, text }: Token, prefixes: ReadonlyMap<string, string>): string | undefined {
	if (kind === "iri") return text.slice(1, -1);
	if (kind !== "name") return undefined;
	const colon = text.indexOf(":");
	const namespace = prefixes.get(text.slice(0, colon));
	return namespace === undefined ? undefined : namespace + text.slice(colon + 1).replaceAll(/\\(.)/g, "$1");
}

export function undeclaredPrefixes(tokens: readonly Token[]): string[] {
	const declared = declaredPrefixes(tokens);
	const names = tokens.filter(({ kind }) => kind === "name");
	const used = names.map(({ text }) => text.slice(0, text.indexOf(":")));
	return [...new Set(used)].filter((prefix) => !declared.has(prefix));
}

/** Declares undeclared prefixes of a query if their namespaces are known. Line numbers stay unchanged. */
export function declarePrefixes(query: string, namespaceOf: (prefix: string) => string | undefined): string {
	const missing = undeclaredPrefixes(tokensOf(query)).flatMap((prefix) => {
		const namespace = namespaceOf(prefix);
		return namespace === undefined ? [] : `PREFIX ${prefix}: <${namespace}> `;
	});
	return missing.join("") + query;
}
