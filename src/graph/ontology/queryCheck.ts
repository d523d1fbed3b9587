import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { localNameOf, namespaceOf, OWL, RDF, RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { editDistance } from "../../base/text/editDistance.ts";
import type { UnknownTerm } from "../../core/knowledge/graph.ts";
import { readSparqlRequest } from "../sparql/sparqlRequest.ts";
import type { OntologySummary } from "./ontologySummary.ts";

/** Vocabularies of RDF itself. Queries may use their terms even if the data does not. */
const LANGUAGE = [RDF, RDFS, OWL];
const ALIKE = 0.5;

/** Classes and properties of a query that are unknown, each with the most similar known terms. */
export function checkQuery(query: string, known: OntologySummary["known"]): UnknownTerm[] {
	const { classes, properties } = usedTerms(query);
	return [...unknown(classes, known.classes), ...unknown(properties, known.properties)];
}

function unknown(used: ReadonlySet<string>, known: ReadonlySet<string>): UnknownTerm[] {
	return [...used]
		.filter((iri) => !known.has(iri) && !LANGUAGE.includes(namespaceOf(iri)))
		.map((iri) => ({ iri, nearest: nearestTerms(iri, known) }));
}

/** The three IRIs with the most similar local names, preferring similar names in the same vocabulary. */
function nearestTerms(wanted: string, iris: Iterable<string>): string[] {
	const vocabulary = namespaceOf(wanted);
	return [...iris]
		.map((iri) => {
			const likeness = likenessOf(localNameOf(wanted), localNameOf(iri));
			return { iri, likeness: likeness + (likeness >= ALIKE && namespaceOf(iri) === vocabulary ? 1 : 0) };
		})
		.sort((a, b) => b.likeness - a.likeness || compareTexts(a.iri, b.iri))
		.slice(0, 3)
		.map(({ iri }) => iri);
}

/** Similarity from 0 to 1 (equal), ignoring case and separators. A name contained in the other is rated higher. */
function likenessOf(a: string, b: string): number {
	const [first, second] = [normalize(a), normalize(b)];
	const longer = Math.max(first.length, second.length) || 1;
	const likeness = 1 - editDistance(first, second) / longer;
	const isWithin =
		Math.min(first.length, second.length) > 2 && (first.includes(second) || second.includes(first));
	return isWithin ? Math.max(likeness, (1 + likeness) / 2) : likeness;
}

function normalize(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** An open bracket. The kind `data` is used in `VALUES` and templates. */
interface Frame {
	readonly kind: "query" | "group" | "data" | "node" | "list" | "expression";
	/** Role of the next term; `none` in data and expressions, and after keywords. */
	role: "subject" | "property" | "object" | "none";
	/** Whether the property path contains `rdf:type`, so that objects are classes. */
	isType: boolean;
}

interface Reader {
	readonly prefixes: ReadonlyMap<string, string>;
	readonly classes: Set<string>;
	readonly properties: Set<string>;
	readonly outer: Frame[];
	frame: Frame;
	isData: boolean;
}

/** IRIs by role in a query's patterns, without templates. Throws a `Failure` if the text is not a query. */
export function usedTerms(query: string): Readonly<Record<"classes" | "properties", ReadonlySet<string>>> {
	const tokens = tokensOf(readSparqlRequest(query).text);
	const [classes, properties] = [new Set<string>(), new Set<string>()];
	const state = { outer: [], frame: begin("query"), isData: false };
	const reader: Reader = { prefixes: declaredPrefixes(tokens), classes, properties, ...state };
	for (const [index, token] of tokens.entries())
		if (tokens[index - 1]?.text !== "^^") readToken(reader, token, tokens[index + 1]?.text);
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
	// Brackets in a path do not change the role of terms.
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

/** A closed node or list is a term itself. After an expression or a group, a new pattern begins. */
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
