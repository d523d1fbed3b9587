import { RDF, XSD } from "../../base/rdf/vocabulary.ts";
import { isRecord } from "../../base/values.ts";
import type { Literal, Term } from "../../core/knowledge/rdf.ts";

/** Solutions; a variable that one does not bind is absent from it. */
export interface SolutionTable {
	readonly variables: readonly string[];
	readonly rows: readonly Readonly<Record<string, Term>>[];
}

/** Reads SPARQL 1.1 Query Results JSON of a SELECT; `undefined` for what is none. */
export function parseRows(json: string): SolutionTable | undefined {
	const answer = parseJson(json);
	const variables = property(property(answer, "head"), "vars");
	const bindings = property(property(answer, "results"), "bindings");
	if (!isTextList(variables) || !Array.isArray(bindings)) return undefined;
	const rows = bindings.map(toRow).filter((row) => row !== undefined);
	return rows.length === bindings.length ? { variables, rows } : undefined;
}

/** Reads the same of an ASK. */
export function parseBoolean(json: string): boolean | undefined {
	const value = property(parseJson(json), "boolean");
	return typeof value === "boolean" ? value : undefined;
}

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		// Whoever sent this gets to hear it from the caller, who knows the endpoint.
		return undefined;
	}
}

function property(value: unknown, name: string): unknown {
	return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function toRow(binding: unknown): Record<string, Term> | undefined {
	if (!isRecord(binding)) return undefined;
	const terms = Object.entries(binding).map(([name, value]) => [name, toTerm(value)] as const);
	const known = terms.flatMap(([name, term]) => (term ? [[name, term] as const] : []));
	return known.length === terms.length ? Object.fromEntries(known) : undefined;
}

function toTerm(json: unknown): Term | undefined {
	const type = property(json, "type");
	const value = property(json, "value");
	if (type === "triple") return toLiteral(describeTriple(value), undefined, undefined);
	if (typeof value !== "string") return undefined;
	if (type === "uri") return { termType: "NamedNode", value };
	if (type === "bnode") return { termType: "BlankNode", value };
	if (type !== "literal" && type !== "typed-literal") return undefined;
	return toLiteral(value, property(json, "datatype"), property(json, "xml:lang"));
}

/** A triple of SPARQL 1.2, which the port cannot say, becomes a text; a triple in it is only hinted at. */
function describeTriple(triple: unknown): string {
	const parts = ["subject", "predicate", "object"].map((name) => property(property(triple, name), "value"));
	return `<< ${parts.map((part) => (typeof part === "string" ? part : "…")).join(" ")} >>`;
}

function toLiteral(value: string, datatype: unknown, language: unknown): Literal {
	if (typeof language === "string" && language !== "")
		return { termType: "Literal", value, datatype: `${RDF}langString`, language: language.toLowerCase() };
	return { termType: "Literal", value, datatype: typeof datatype === "string" ? datatype : `${XSD}string` };
}
