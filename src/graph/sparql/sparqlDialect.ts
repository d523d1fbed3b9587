import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, outermost, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { XSD } from "../../base/rdf/vocabulary.ts";

/** The kinds of whole numbers that Oxigraph cannot cast to; it keeps all of them as integers anyway. */
const WHOLE_NUMBERS = new Set(
	[
		"byte",
		"int",
		"long",
		"negativeInteger",
		"nonNegativeInteger",
		"nonPositiveInteger",
		"positiveInteger",
		"short",
		"unsignedByte",
		"unsignedInt",
		"unsignedLong",
		"unsignedShort",
	].map((name) => XSD + name),
);

/** The query with casts like `xsd:int(…)`, which Oxigraph does not know, as casts to integers. */
export function replaceCasts(text: string): string {
	const tokens = tokensOf(text);
	const prefixes = declaredPrefixes(tokens);
	const casts = tokens.filter(
		(token, index) => tokens[index + 1]?.text === "(" && WHOLE_NUMBERS.has(iriOf(token, prefixes) ?? ""),
	);
	return casts.reduceRight(
		(query, { start, end }) => `${query.slice(0, start)}<${XSD}integer>${query.slice(end)}`,
		text,
	);
}

/** The query with at most `limit` solutions. Everything else, an `OFFSET` included, stays what it says. */
export function limitSolutions(text: string, limit: number): string {
	const tokens = outermost(tokensOf(text));
	const keyword = tokens.findIndex((token) => isWord(token, "LIMIT"));
	const own = tokens[keyword + 1];
	if (keyword >= 0 && own)
		return `${text.slice(0, own.start)}${Math.min(Number(own.text), limit)}${text.slice(own.end)}`;
	const values = tokens.find((token) => isWord(token, "VALUES"));
	const place = values?.start ?? tokens.at(-1)?.end ?? text.length;
	return `${text.slice(0, place)}\nLIMIT ${limit}\n${text.slice(place)}`;
}
