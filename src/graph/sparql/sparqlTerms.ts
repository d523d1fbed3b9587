import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { readSparqlRequest } from "./sparqlRequest.ts";

/** IRIs by their role in a query's patterns, without those in a `CONSTRUCT` template. */
export interface UsedTerms {
	readonly classes: ReadonlySet<string>;
	readonly properties: ReadonlySet<string>;
}

/** An open bracket. `data` are `VALUES` and templates. */
interface Frame {
	readonly kind: "query" | "group" | "data" | "node" | "list" | "expression";
	/** Role of the next term; `none` in data and expressions, and behind keywords. */
	role: "subject" | "property" | "object" | "none";
	/** Whether the path of the property has `rdf:type`: then objects are classes. */
	isType: boolean;
}

/** Reads the patterns of a query, as far as possible if it is invalid. Throws a `Failure` if it is not a query at all. */
export function usedTerms(query: string): UsedTerms {
	const tokens = tokensOf(readSparqlRequest(query).text);
	const prefixes = declaredPrefixes(tokens);
	const used = { classes: new Set<string>(), properties: new Set<string>() };
	const outer: Frame[] = [];
	let frame: Frame = { kind: "query", role: "none", isType: false };
	let isData = false;
	for (const [index, token] of tokens.entries()) {
		const { text } = token;
		const opened = openedBy(text, frame, isData);
		if (opened) {
			outer.push(frame);
			frame = opened;
			isData &&= text !== "{";
		} else if (isClosed(frame, text)) frame = afterClosing(frame, outer.pop() ?? frame);
		else if (isKeyword(token)) {
			isData = isWord(token, "VALUES") || (isWord(token, "CONSTRUCT") && tokens[index + 1]?.text === "{");
			frame.role = "none";
		} else if (token.kind === "sign") readSign(frame, text);
		else if (token.kind !== "tag" && tokens[index - 1]?.text !== "^^")
			readTerm(frame, text === "a" ? RDF_TYPE : iriOf(token, prefixes), used);
	}
	return used;
}

function isKeyword({ kind, text }: Token): boolean {
	return kind === "word" && !/^(?:a|true|false)$/i.test(text);
}

function openedBy(text: string, { kind, role }: Frame, isData: boolean): Frame | undefined {
	const isRead = role !== "none" || kind === "list";
	if (text === "{")
		return { kind: isData ? "data" : "group", role: isData ? "none" : "subject", isType: false };
	if (text === "[") return { kind: "node", role: isRead ? "property" : "none", isType: false };
	// Brackets in a path change nothing.
	if (text !== "(" || role === "property") return undefined;
	return { kind: isRead ? "list" : "expression", role: "none", isType: false };
}

const CLOSED: Readonly<Record<string, readonly Frame["kind"][]>> = {
	"}": ["group", "data"],
	"]": ["node"],
	")": ["list", "expression"],
};

function isClosed({ kind }: Frame, text: string): boolean {
	return CLOSED[text]?.includes(kind) === true;
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

function readTerm(frame: Frame, iri?: string, used?: Readonly<Record<keyof UsedTerms, Set<string>>>): void {
	const { role, isType } = frame;
	if (role === "subject") Object.assign(frame, { role: "property", isType: false });
	if (role === "property") {
		if (iri !== undefined) used?.properties.add(iri);
		Object.assign(frame, { role: "object", isType: isType || iri === RDF_TYPE });
	}
	if (role === "object" && isType && iri !== undefined) used?.classes.add(iri);
}
