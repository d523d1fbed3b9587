import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import { type Statement, type Term, XSD_STRING } from "../../core/knowledge/rdf.ts";
import { writeIri, writeTerm } from "../../core/knowledge/writeTerm.ts";

const ROW_FORMATS = ["csv", "tsv", "json"] as const;

export type ResultFormat = (typeof ROW_FORMATS)[number] | "ttl";

export function formatsOf({ kind }: GraphAnswer): readonly ResultFormat[] {
	if (kind === "boolean") return ["json"];
	return kind === "quads" ? ["ttl"] : ROW_FORMATS;
}

/** As the W3C's SPARQL 1.1 Query Results CSV, TSV and JSON say; statements as Turtle. */
export function writeResult(answer: GraphAnswer, format: ResultFormat): string {
	if (answer.kind === "boolean") return writeJson({ head: {}, boolean: answer.value });
	if (answer.kind === "quads") return writeTurtle(answer.quads);
	const { variables, rows } = answer;
	const cells = rows.map((row) => variables.map((name) => row[name]));
	if (format === "csv") return lines([variables, ...cells.map((row) => row.map(csvCell))], ",");
	const names = variables.map((name) => `?${name}`);
	const texts = cells.map((row) => row.map((term) => (term ? writeTerm(term).replaceAll("\t", "\\t") : "")));
	if (format === "tsv") return lines([names, ...texts], "\t");
	const bindings = cells.map((row) =>
		Object.fromEntries(row.flatMap((term, at) => (term ? [[variables[at], jsonTerm(term)]] : []))),
	);
	return writeJson({ head: { vars: variables }, results: { bindings } });
}

function lines(rows: readonly (readonly string[])[], separator: "," | "\t"): string {
	return rows.map((row) => `${row.join(separator)}\n`).join("");
}

function csvCell(term: Term | undefined): string {
	const text = term?.termType === "BlankNode" ? writeTerm(term) : (term?.value ?? "");
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonTerm(term: Term): object {
	if (term.termType === "NamedNode") return { type: "uri", value: term.value };
	if (term.termType === "BlankNode") return { type: "bnode", value: writeTerm(term).slice(2) };
	const { value, language, datatype } = term;
	if (language !== undefined) return { type: "literal", value, "xml:lang": language };
	return { type: "literal", value, ...(datatype !== XSD_STRING && { datatype }) };
}

function writeJson(value: object): string {
	return `${JSON.stringify(value, undefined, "\t")}\n`;
}

function writeTurtle(statements: readonly Statement[]): string {
	const bySubject = Map.groupBy(statements, ({ subject }) => writeTerm(subject));
	return [...bySubject]
		.map(([subject, own]) => {
			const parts = own.map(({ predicate, object }) => `${writeIri(predicate.value)} ${writeTerm(object)}`);
			return `${subject} ${parts.join(" ;\n\t")} .\n`;
		})
		.join("");
}
