import { readFileSync } from "node:fs";
import { Parser } from "htmlparser2";
import type { Quad, Statement, Term } from "../../src/core/knowledge/rdf.ts";
import { readTurtle } from "../../src/knowledge/rdf/turtle.ts";
import type { SuiteFile } from "./manifest.ts";
import { parseFile } from "./parseFile.ts";

/** Rows of terms; the triples of a graph are rows of three. */
export interface Table {
	readonly variables: readonly string[];
	readonly rows: readonly (readonly (Term | undefined)[])[];
}

/** Reads a test's result file in the format of its extension. */
export async function readResultFile(file: SuiteFile): Promise<boolean | Table> {
	const text = readFileSync(file.path, "utf8");
	if (file.path.endsWith(".srx")) return readXml(text);
	if (file.path.endsWith(".srj")) return readJson(text);
	if (file.path.endsWith(".csv")) return readCsv(text);
	if (file.path.endsWith(".tsv")) return readTsv(text);
	const { quads } = await parseFile(file);
	return readResultSet(quads) ?? tableOf(quads);
}

const RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#";

/** Reads a table written as RDF; `undefined` for any other graph. */
function readResultSet(quads: readonly Quad[]): Table | undefined {
	const objectsOf = (subject: Term, name: string) =>
		quads
			.filter((quad) => quad.subject.value === subject.value && quad.predicate.value === `${RS}${name}`)
			.map(({ object }) => object);
	const set = quads.find(({ object }) => object.value === `${RS}ResultSet`)?.subject;
	if (!set) return undefined;
	const variables = objectsOf(set, "resultVariable").map(({ value }) => value);
	const rows = objectsOf(set, "solution").map((solution) => {
		const bindings = objectsOf(solution, "binding").map(
			(binding) => [objectsOf(binding, "variable")[0]?.value, objectsOf(binding, "value")[0]] as const,
		);
		return variables.map((variable) => bindings.find(([name]) => name === variable)?.[1]);
	});
	return { variables, rows };
}

export function tableOf(quads: readonly Statement[]): Table {
	const rows = quads.map(({ subject, predicate, object }) => [subject, predicate, object]);
	return { variables: ["subject", "predicate", "object"], rows };
}

const XSD_STRING = "http://www.w3.org/2001/XMLSchema#string";
const LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";

function literal(value: string, datatype = XSD_STRING, language = ""): Term {
	if (language === "") return { termType: "Literal", value, datatype };
	return { termType: "Literal", value, datatype: LANGUAGE_STRING, language: language.toLowerCase() };
}

/** A term from its kind and text in the XML and JSON formats. */
function termOf(
	kind: string,
	value: string,
	{ datatype, language }: { datatype?: string; language?: string },
): Term {
	if (kind === "uri") return { termType: "NamedNode", value };
	if (kind === "bnode") return { termType: "BlankNode", value };
	return literal(value, datatype, language);
}

function readXml(text: string): boolean | Table {
	const variables: string[] = [];
	const rows: Map<string, Term>[] = [];
	let truth: boolean | undefined;
	let variable = "";
	let value = "";
	let attributes: Record<string, string> = {};
	const parser = new Parser(
		{
			onopentag: (name, found) => {
				attributes = found;
				const { name: declared = "" } = attributes;
				if (name === "variable") variables.push(declared);
				if (name === "result") rows.push(new Map());
				if (name === "binding") variable = declared;
				value = "";
			},
			ontext: (more) => {
				value += more;
			},
			onclosetag: (name) => {
				if (name === "boolean") truth = value.trim() === "true";
				if (!["uri", "bnode", "literal"].includes(name)) return;
				const { datatype, "xml:lang": language } = attributes;
				rows
					.at(-1)
					?.set(
						variable,
						termOf(name, value, { ...(datatype && { datatype }), ...(language && { language }) }),
					);
			},
		},
		{ xmlMode: true },
	);
	parser.end(text);
	return truth ?? { variables, rows: rows.map((row) => variables.map((name) => row.get(name))) };
}

interface JsonResults {
	readonly head: { readonly vars?: readonly string[] };
	readonly boolean?: boolean;
	readonly results?: { readonly bindings: readonly Record<string, JsonTerm>[] };
}

interface JsonTerm {
	readonly type: string;
	readonly value: string;
	readonly datatype?: string;
	readonly "xml:lang"?: string;
}

function readJson(text: string): boolean | Table {
	const { head, boolean: truth, results } = JSON.parse(text) as JsonResults;
	const variables = head.vars ?? [];
	const toCell = (term: JsonTerm | undefined) =>
		term && termOf(term.type, term.value, { ...term, language: term["xml:lang"] ?? "" });
	const rows = results?.bindings.map((binding) => variables.map((name) => toCell(binding[name]))) ?? [];
	return truth ?? { variables, rows };
}

/** Reads CSV, which has no datatypes: every cell is a text, with numbers by value. */
function readCsv(text: string): Table {
	const [head = [], ...rows] = text.trim().split(/\r?\n/).map(cellsOf);
	return { variables: head, rows: rows.map((row) => row.map(csvTerm)) };
}

function cellsOf(line: string): string[] {
	return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
		([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
	);
}

function csvTerm(cell: string): Term | undefined {
	if (cell === "") return undefined;
	if (cell.startsWith("_:")) return { termType: "BlankNode", value: cell.slice(2) };
	return literal(Number.isNaN(Number(cell)) ? cell : String(Number(cell)));
}

/** The term that is read back from a CSV file. */
export function throughCsv(term: Term | undefined): Term | undefined {
	if (!term) return undefined;
	return csvTerm(term.termType === "BlankNode" ? `_:${term.value}` : term.value);
}

function readTsv(text: string): Table {
	const [head = "", ...lines] = text.trimEnd().split(/\r?\n/);
	const toCell = (cell: string): Term | undefined => {
		const statement = cell === "" ? "" : `<> <> ${cell} .`;
		return readTurtle(statement, { syntax: "Turtle", base: "http://example.org/" }).quads[0]?.object;
	};
	return {
		variables: head.split("\t").map((name) => name.slice(1)),
		rows: lines.map((line) => line.split("\t").map(toCell)),
	};
}
