import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { endOfPrologue, readSparqlRequest } from "./sparqlRequest.ts";

/** IRIs by their role in a query's patterns, without those in a `CONSTRUCT` template. */
export interface UsedTerms {
	readonly classes: ReadonlySet<string>;
	readonly properties: ReadonlySet<string>;
}

/** Reads the patterns of a query, as far as possible if it is invalid. Throws a `Failure` if it is not a query at all. */
export function usedTerms(query: string): UsedTerms {
	const tokens = tokensOf(readSparqlRequest(query).text);
	const reader: Reader = {
		tokens,
		prefixes: declaredPrefixes(tokens),
		index: endOfPrologue(tokens),
		classes: new Set(),
		properties: new Set(),
	};
	if (isWord(tokens[reader.index], "CONSTRUCT") && tokens[reader.index + 1]?.text === "{") {
		reader.index++;
		skipBraces(reader);
	}
	while (reader.index < tokens.length) {
		if (sees(reader, "{")) readGroup(reader);
		else reader.index++;
	}
	const { classes, properties } = reader;
	return { classes, properties };
}

/** A place in the tokens, and what has been found up to there. Every `read…` and `skip…` moves on by one token at least. */
interface Reader {
	readonly tokens: readonly Token[];
	readonly prefixes: ReadonlyMap<string, string>;
	index: number;
	readonly classes: Set<string>;
	readonly properties: Set<string>;
}

function sees({ tokens, index }: Reader, ...texts: readonly string[]): boolean {
	return texts.includes(tokens[index]?.text ?? "");
}

function accept(reader: Reader, ...texts: readonly string[]): boolean {
	const isThere = sees(reader, ...texts);
	if (isThere) reader.index++;
	return isThere;
}

function isOver({ tokens, index }: Reader): boolean {
	return index >= tokens.length;
}

function skipBraces(reader: Reader): void {
	let depth = 0;
	do {
		if (sees(reader, "{")) depth++;
		if (sees(reader, "}")) depth--;
		reader.index++;
	} while (depth > 0 && !isOver(reader));
}

function readGroup(reader: Reader): void {
	reader.index++;
	while (!isOver(reader) && !accept(reader, "}")) {
		if (sees(reader, "{")) readGroup(reader);
		else if (reader.tokens[reader.index]?.kind === "word") readClause(reader);
		else if (!accept(reader, ".", ")", "]", ";", ",")) readTriples(reader);
	}
}

function readClause(reader: Reader): void {
	const keyword = reader.tokens[reader.index++];
	if (isWord(keyword, "GRAPH")) reader.index++;
	else if (isWord(keyword, "VALUES", "SELECT")) {
		while (!isOver(reader) && !sees(reader, "{", "}")) reader.index++;
		if (isWord(keyword, "VALUES")) skipBraces(reader);
	} else if (isWord(keyword, "FILTER", "BIND", "HAVING", "BY")) readExpression(reader);
}

/** What follows `FILTER` and its like: names and keywords, then one pair of brackets. */
function readExpression(reader: Reader): void {
	while (!isOver(reader) && !sees(reader, "(", "{", "}")) reader.index++;
	if (sees(reader, "{")) readGroup(reader);
	else if (accept(reader, "(")) skipBrackets(reader);
}

/** Up to the closing bracket; patterns of `EXISTS` are read. */
function skipBrackets(reader: Reader): void {
	while (!isOver(reader) && !sees(reader, "}") && !accept(reader, ")")) {
		if (sees(reader, "{")) readGroup(reader);
		else if (accept(reader, "(")) skipBrackets(reader);
		else reader.index++;
	}
}

function readTriples(reader: Reader): void {
	readNode(reader, { isClass: false });
	readPredicates(reader);
}

function readPredicates(reader: Reader): void {
	while (!isOver(reader) && !sees(reader, ".", "}", "]", "{", ")") && !isClause(reader)) {
		const isClass = readPath(reader).includes(RDF_TYPE);
		do readNode(reader, { isClass });
		while (accept(reader, ","));
		while (accept(reader, ";"));
	}
}

function isClause({ tokens, index }: Reader): boolean {
	return tokens[index]?.kind === "word" && tokens[index]?.text !== "a";
}

function readPath(reader: Reader): string[] {
	const iris: string[] = [];
	do iris.push(...readPathElement(reader));
	while (accept(reader, "/", "|"));
	for (const iri of iris) reader.properties.add(iri);
	return iris;
}

function readPathElement(reader: Reader): string[] {
	while (accept(reader, "^", "!"));
	const iris = accept(reader, "(") ? readPath(reader) : [takeIri(reader)].filter((iri) => iri !== undefined);
	while (accept(reader, ")", "*", "+", "?"));
	return iris;
}

function takeIri(reader: Reader): string | undefined {
	const token = reader.tokens[reader.index++];
	return token?.text === "a" ? RDF_TYPE : token && iriOf(token, reader.prefixes);
}

function readNode(reader: Reader, { isClass }: { readonly isClass: boolean }): void {
	if (accept(reader, "[")) {
		readPredicates(reader);
		accept(reader, "]");
	} else if (accept(reader, "(")) {
		while (!isOver(reader) && !sees(reader, "}") && !accept(reader, ")"))
			readNode(reader, { isClass: false });
	} else readTerm(reader, { isClass });
}

/** A literal has up to three tokens. */
function readTerm(reader: Reader, { isClass }: { readonly isClass: boolean }): void {
	accept(reader, "+", "-");
	const iri = takeIri(reader);
	if (isClass && iri !== undefined) reader.classes.add(iri);
	if (accept(reader, "^^") || reader.tokens[reader.index]?.kind === "tag") reader.index++;
}
