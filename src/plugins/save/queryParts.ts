import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import type { DraftPart } from "./draftPart.ts";
import { createNames, nameIn } from "./names.ts";

/** The texts, numbers and things of a query: not its classes' and properties' names, where they stand as such. */
export function partsOfQuery(query: string): DraftPart[] {
	const tokens = tokensOf(query);
	const prefixes = declaredPrefixes(tokens);
	const unique = createNames(
		tokens.flatMap(({ kind, text }) => (kind === "variable" ? [text.slice(1)] : [])),
	);
	return tokens.flatMap((token, index): DraftPart[] => {
		const found = valueAt(tokens, index, prefixes);
		if (!found) return [];
		const { start, end } = token;
		return [{ ...found, name: unique(nameFor(tokens, index) ?? DEFAULTS[found.type]), start, end }];
	});
}

const DEFAULTS = { string: "text", iri: "thing", int: "number", float: "number" } as const;

type Value = Pick<DraftPart, "type" | "value" | "isLikely">;

function valueAt(
	tokens: readonly Token[],
	index: number,
	prefixes: ReadonlyMap<string, string>,
): Value | undefined {
	const [before, token] = [tokens[index - 1], tokens[index]];
	if (!token || isWord(before, "PREFIX", "BASE", "FROM", "NAMED") || before?.text === "^^") return undefined;
	if (token.kind === "string") return textAt(token, tokens[index + 1]);
	if (token.kind === "number") {
		const type = /^\d+$/.test(token.text) ? "int" : "float";
		return { type, value: token.text, isLikely: false };
	}
	const iri = iriOf(token, prefixes);
	if (iri === undefined || !isThing(tokens, index)) return undefined;
	return { type: "iri", value: iri, isLikely: before?.text !== "a" };
}

/** A text with a language or a type is another term than the text alone; one with escapes is left as it is. */
function textAt({ text }: Token, after: Token | undefined): Value | undefined {
	const [, , value] = /^("""|'''|"|')([^\\]*)\1$/s.exec(text) ?? [];
	if (value === undefined || after?.kind === "tag" || after?.text === "^^") return undefined;
	return { type: "string", value, isLikely: value.length > 1 };
}

/** Properties stand before another term; what is called, before a bracket. */
function isThing(tokens: readonly Token[], index: number): boolean {
	const [before, after] = [tokens[index - 1], tokens[index + 1]];
	// The name of a prefix that is declared stands there, too.
	if (isWord(tokens[index - 2], "PREFIX")) return false;
	const isSubject = ["{", ".", "}"].includes(before?.text ?? "");
	const isObject = [".", ";", ",", "}", ")", "]"].includes(after?.text ?? "");
	return isSubject || isObject;
}

/** By the property before it, or the variable that it is compared with. */
function nameFor(tokens: readonly Token[], index: number): string | undefined {
	const [before, earlier] = [tokens[index - 1], tokens[index - 2]];
	if (isWord(before, "LIMIT", "OFFSET")) return before?.text.toLowerCase();
	if (before?.text === "a") return "type";
	const near = before?.kind === "iri" || before?.kind === "name" ? before : earlier;
	if (!near || !["iri", "name", "variable"].includes(near.kind)) return undefined;
	return nameIn(near.text);
}
