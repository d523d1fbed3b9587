import { type Quad as OxigraphQuad, parse } from "oxigraph";
import { RDF, XSD } from "../../base/rdf/vocabulary.ts";
import type { Literal, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { SparqlResult } from "./sparqlMessages.ts";

/** The graph's label for one of Oxigraph's blank nodes. */
type ToLabel = (label: string) => string;

/** SPARQL 1.1 Query Results JSON. */
interface JsonResults {
	readonly head: { readonly vars: readonly string[] };
	readonly results: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

interface JsonTerm {
	readonly type: string;
	readonly value: string | object;
	readonly datatype?: string;
	readonly "xml:lang"?: string;
}

/** A table of solutions; only the rows that are asked for become terms. */
export function readRows(json: string, toLabel: ToLabel) {
	const { head, results } = JSON.parse(json) as JsonResults;
	const toTerm = (term: JsonTerm | undefined) => term && fromJson(term, toLabel);
	return {
		variables: head.vars,
		length: results.bindings.length,
		rows: (variables: readonly string[], limit: number) =>
			results.bindings.slice(0, limit).map((binding) => variables.map((name) => toTerm(binding[name]))),
	};
}

function fromJson(term: JsonTerm, toLabel: ToLabel): Term {
	// A triple term of SPARQL 1.2, which the graph cannot hold, becomes a text.
	const value = typeof term.value === "string" ? term.value : JSON.stringify(term.value);
	if (term.type === "uri") return { termType: "NamedNode", value };
	if (term.type === "bnode") return { termType: "BlankNode", value: toLabel(value) };
	return toLiteral(value, term.datatype, term["xml:lang"]);
}

function toLiteral(value: string, datatype = `${XSD}string`, language?: string): Literal {
	if (!language) return { termType: "Literal", value, datatype };
	return { termType: "Literal", value, datatype: `${RDF}langString`, language };
}

export function readQuads(nTriples: string, limit: number, toLabel: ToLabel): SparqlResult {
	const lines = [...new Set(nTriples.split("\n"))].filter((line) => line !== "");
	const shown = parse(lines.slice(0, limit).join("\n"), { format: "application/n-triples", lenient: true });
	return {
		kind: "quads",
		quads: shown.map((quad) => fromQuad(quad, toLabel)),
		total: lines.length,
		truncated: lines.length > limit,
	};
}

function fromQuad({ subject, predicate, object }: OxigraphQuad, toLabel: ToLabel) {
	return {
		subject: toSubject(subject, toLabel),
		predicate: { termType: "NamedNode" as const, value: predicate.value },
		object:
			object.termType === "Literal"
				? toLiteral(object.value, object.datatype.value, object.language)
				: toSubject(object, toLabel),
	};
}

function toSubject({ termType, value }: OxigraphQuad["subject" | "object"], toLabel: ToLabel): Subject {
	return termType === "BlankNode" ? { termType, value: toLabel(value) } : { termType: "NamedNode", value };
}
