import { Failure } from "../../base/failure.ts";
import { declaredPrefixes, declarePrefixes, iriOf, undeclaredPrefixes } from "../../base/rdf/sparqlNames.ts";
import { isWord, outermost, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { XSD } from "../../base/rdf/vocabulary.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Statement } from "../../core/knowledge/rdf.ts";
import { blankToken, writeIri, writeTerm } from "../../core/knowledge/writeTerm.ts";

export type SparqlRequest = Readonly<ReturnType<typeof readSparqlRequest>>;

const MAX_CHARACTERS = 100_000;
/** Far more than a query needs, and far less than overflows Oxigraph's stack, which would end the thread. */
const MAX_NESTING = 100;

const FORMS = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"] as const;
const UPDATES = ["INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"];

/** Throws a `Failure` unless the query is read-only and limited to this graph. The engine checks all other syntax. */
export function readSparqlRequest(text: string) {
	if (text.length > MAX_CHARACTERS)
		throw new Failure("BAD_INPUT", `The query is longer than ${MAX_CHARACTERS} characters. Shorten it.`);
	const tokens = tokensOf(text);
	if (deepestNesting(tokens) > MAX_NESTING)
		throw new Failure("BAD_INPUT", `The query has brackets nested ${MAX_NESTING} levels deep. Simplify it.`);
	const [verb, ...rest] = tokens.slice(endOfPrologue(tokens));
	const readOnly = `The graph is read-only and follows the files: ${verb?.text} is refused. Edit the files instead.`;
	if (isWord(verb, ...UPDATES)) throw new Failure("BAD_INPUT", readOnly);
	if (tokens.some((token) => isWord(token, "SERVICE")))
		throw new Failure("BAD_INPUT", "SERVICE is refused: a query may only ask this graph.");
	const form = FORMS.find((word) => isWord(verb, word));
	if (!form) throw new Failure("BAD_INPUT", "A query must begin with SELECT, ASK, CONSTRUCT, or DESCRIBE.");
	const [undeclared] = undeclaredPrefixes(tokens);
	const advice = `The prefix ${undeclared}: is not declared. Put PREFIX ${undeclared}: <…> before the query, or write the IRI.`;
	if (undeclared !== undefined) throw new Failure("BAD_INPUT", advice);
	const choosesDataset = tokens.some((token) => isWord(token, "FROM"));
	// GRAPH and FROM require every document as a separate graph.
	const namesGraphs = choosesDataset || tokens.some((token) => isWord(token, "GRAPH"));
	const selectsAll = rest.find((token) => !isWord(token, "DISTINCT", "REDUCED"))?.text === "*";
	return { text: replaceCasts(text), form, namesGraphs, choosesDataset, selectsAll };
}

/** Like `readSparqlRequest`, but accepts undeclared prefixes, which may be known when the query runs. */
export function checkSparqlRequest(text: string): void {
	readSparqlRequest(declarePrefixes(text, () => "urn:"));
}

function endOfPrologue(tokens: readonly Token[]): number {
	let index = 0;
	while (isWord(tokens[index], "PREFIX", "BASE", "VERSION")) index += isWord(tokens[index], "PREFIX") ? 3 : 2;
	return index;
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

/** Integer types to which Oxigraph cannot cast. Oxigraph stores values of these types as integers anyway. */
const WHOLE_NUMBERS = new Set(
	wordList(
		`byte int long short unsignedByte unsignedInt unsignedLong unsignedShort
		negativeInteger nonNegativeInteger nonPositiveInteger positiveInteger`,
	).map((name) => XSD + name),
);

/** Replaces casts like `xsd:int(…)`, which Oxigraph does not support, by casts to `xsd:integer`. */
export function replaceCasts(text: string): string {
	const tokens = tokensOf(text);
	const prefixes = declaredPrefixes(tokens);
	const isCast = (token: Token, index: number) =>
		tokens[index + 1]?.text === "(" && WHOLE_NUMBERS.has(iriOf(token, prefixes) ?? "");
	const replace = (query: string, { start, end }: Token) =>
		`${query.slice(0, start)}<${XSD}integer>${query.slice(end)}`;
	return tokens.filter(isCast).reduceRight(replace, text);
}

/** Limits a query to `limit` solutions. An existing `OFFSET` stays unchanged. */
export function limitSolutions(text: string, limit: number): string {
	const all = tokensOf(text);
	const tokens = outermost(all);
	// Leave a query with an open bracket unchanged: the engine refuses the query and reports the position.
	if (tokens.at(-1) !== all.at(-1)) return text;
	const keyword = tokens.findIndex((token) => isWord(token, "LIMIT"));
	const own = tokens[keyword + 1];
	if (keyword >= 0 && own)
		return `${text.slice(0, own.start)}${Math.min(Number(own.text), limit)}${text.slice(own.end)}`;
	const values = tokens.find((token) => isWord(token, "VALUES"));
	const place = values?.start ?? tokens.at(-1)?.end ?? text.length;
	return `${text.slice(0, place)}\nLIMIT ${limit}\n${text.slice(place)}`;
}

/** A document's statements as distinct N-Triples lines, for the SPARQL thread. */
export type DocumentText = ReturnType<typeof writeDocument>;

export function writeDocument(uri: string, quads: Iterable<Statement>) {
	const ground = new Set<string>();
	const blank = new Set<string>();
	/** The graph's label of every blank node in `blank`, by token. */
	const labels = new Map<string, string>();
	for (const { subject, predicate, object } of quads) {
		const line = `${writeTerm(subject)} ${writeIri(predicate.value)} ${writeTerm(object)} .`;
		const blanks = [subject, object].filter(({ termType }) => termType === "BlankNode");
		(blanks.length === 0 ? ground : blank).add(line);
		for (const { value } of blanks) labels.set(blankToken(value), value);
	}
	// A thread receives one text faster than many lines.
	return { uri, ground: [...ground].join("\n"), blank: [...blank].join("\n"), labels };
}

export function linesOf(text: string): string[] {
	return text === "" ? [] : text.split("\n");
}
