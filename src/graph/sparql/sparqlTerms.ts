import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { readSparqlRequest } from "./sparqlRequest.ts";

/** An open bracket. `data` are `VALUES` and templates. */
interface Frame {
	readonly kind: "query" | "group" | "data" | "node" | "list" | "expression";
	/** Role of the next term; `none` in data and expressions, and behind keywords. */
	role: "subject" | "property" | "object" | "none";
	/** Whether the path of the property has `rdf:type`: then objects are classes. */
	isType: boolean;
}

interface Reader {
	readonly prefixes: ReadonlyMap<string, string>;
	readonly classes: Set<string>;
	readonly properties: Set<string>;
	readonly outer: Frame[];
	frame: Frame;
	/** Whether the next braces hold data. */
	isData: boolean;
}

/** IRIs by their role in a query's patterns, as far as it is valid, without templates. Throws a `Failure` if it is not a query. */
export function usedTerms(query: string): Readonly<Record<"classes" | "properties", ReadonlySet<string>>> {
	const tokens = tokensOf(readSparqlRequest(query).text);
	const reader: Reader = {
		prefixes: declaredPrefixes(tokens),
		classes: new Set(),
		properties: new Set(),
		outer: [],
		frame: begin("query"),
		isData: false,
	};
	for (const [index, token] of tokens.entries())
		if (tokens[index - 1]?.text !== "^^") readToken(reader, token, tokens[index + 1]?.text);
	const { classes, properties } = reader;
	return { classes, properties };
}

function begin(kind: Frame["kind"], role: Frame["role"] = "none"): Frame {
	return { kind, role, isType: false };
}

function readToken(reader: Reader, token: Token, next: string | undefined): void {
	const { frame, outer, prefixes } = reader;
	const { kind, text } = token;
	const opened = openedBy(text, frame, reader.isData);
	if (opened) {
		outer.push(frame);
		Object.assign(reader, { frame: opened, isData: reader.isData && text !== "{" });
	} else if (CLOSED[text]?.includes(frame.kind)) reader.frame = afterClosing(frame, outer.pop() ?? frame);
	else if (kind === "word" && !/^(?:a|true|false)$/i.test(text)) readKeyword(reader, token, next);
	else if (kind === "sign") readSign(frame, text);
	else if (kind !== "tag") readTerm(frame, text === "a" ? RDF_TYPE : iriOf(token, prefixes), reader);
}

function openedBy(text: string, { kind, role }: Frame, isData: boolean): Frame | undefined {
	const isRead = role !== "none" || kind === "list";
	if (text === "{") return isData ? begin("data") : begin("group", "subject");
	if (text === "[") return begin("node", isRead ? "property" : "none");
	// Brackets in a path change nothing.
	if (text !== "(" || role === "property") return undefined;
	return begin(isRead ? "list" : "expression");
}

const CLOSED: Readonly<Record<string, readonly Frame["kind"][]>> = {
	"}": ["group", "data"],
	"]": ["node"],
	")": ["list", "expression"],
};

function readKeyword(reader: Reader, keyword: Token, next: string | undefined): void {
	reader.isData = isWord(keyword, "VALUES") || (isWord(keyword, "CONSTRUCT") && next === "{");
	reader.frame.role = "none";
}

/** A node or a list is a term itself; behind an expression or a group, a pattern begins. */
function afterClosing({ kind }: Frame, around: Frame): Frame {
	if (kind === "node" || kind === "list") readTerm(around);
	else if (around.kind === "group") around.role = "subject";
	return around;
}

function readSign(frame: Frame, sign: string): void {
	if (sign === "." && frame.kind === "group") frame.role = "subject";
	if (frame.role !== "object") return;
	if (sign === ";") frame.isType = false;
	if (";/|".includes(sign)) frame.role = "property";
}

function readTerm(frame: Frame, iri?: string, used?: Reader): void {
	const { role, isType } = frame;
	if (role === "subject") Object.assign(frame, { role: "property", isType: false });
	if (role === "property") {
		if (iri !== undefined) used?.properties.add(iri);
		Object.assign(frame, { role: "object", isType: isType || iri === RDF_TYPE });
	}
	if (role === "object" && isType && iri !== undefined) used?.classes.add(iri);
}
