import * as vscode from "vscode";
import { l10n } from "vscode";
import { describeRows } from "../../agent/graph/graphTable.ts";
import { type Failure, isFailure } from "../../base/failure.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import type { FoundThing, GraphAnswer, GraphResult, Place, UnknownTerm } from "../../core/knowledge/graph.ts";
import { idOf, type Statement, type Term, XSD_STRING } from "../../core/knowledge/rdf.ts";
import { writeIri, writeTerm } from "../../core/knowledge/writeTerm.ts";
import { withProgress } from "../cancellation.ts";
import { counted, numeral, toldOf, translated } from "../l10n.ts";
import { diagnosticAt } from "../treeLines.ts";
import { CHANNEL, type LanguageDeps, learnPrefixes, namesOf, rangeOf } from "./namedDocument.ts";

const never = new AbortController().signal;

const RESULT = vscode.l10n.t("Query Result");

const RESULT_FILE = { scheme: "copilot-ld", pattern: `**/${RESULT}` };

const LANGUAGES = { csv: "csv", tsv: "tsv", json: "json", ttl: "turtle" };

const ROWS = 1000;

const WIDTH = 60;

interface ResultText {
	readonly text: string;
	readonly links: vscode.DocumentLink[];
}

type Found = Readonly<Record<string, FoundThing>>;

export function createQueries({ graph, things, documents }: LanguageDeps) {
	const shown = registerResult();
	return {
		runQuery: (document: vscode.TextDocument) => {
			const title = vscode.l10n.t("Copilot-LD: running the query");
			// A notification, because progress in the status bar cannot be canceled.
			return withProgress({ title, total: 1 }, async (_, signal) => {
				const sparql = document.getText();
				const result = await graph.query({ sparql, limit: ROWS, ...CHANNEL }, signal);
				const found = await things.named({ iris: thingsIn(result.answer), ...CHANNEL }, signal);
				const { text, links } = resultText(result, sparql, found);
				shown.set(result.answer, links);
				await documents.open(RESULT, text, vscode.ViewColumn.Beside);
			});
		},
		openResult: async (format: ResultFormat) => {
			const result = { language: LANGUAGES[format], content: writeResult(shown.answer(), format) };
			await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(result));
		},
		checkQuery: async (document: vscode.TextDocument): Promise<vscode.Diagnostic[]> => {
			const sparql = document.getText();
			if (sparql.replace(/^\s*#.*$/gm, "").trim() === "") return [];
			learnPrefixes(document, await things.prefixes(CHANNEL, never));
			try {
				const unknown = await graph.check({ sparql, ...CHANNEL }, never);
				return unknown.flatMap((term) => unknownIn(document, term));
			} catch (thrown) {
				if (isFailure(thrown) && thrown.code === "BAD_INPUT") return [mistakeIn(document, thrown)];
				throw thrown;
			}
		},
	};
}

function registerResult() {
	let links: vscode.DocumentLink[] = [];
	let answer: GraphAnswer = { kind: "boolean", value: false };
	const changed = new vscode.EventEmitter<void>();
	const toLens = (format: ResultFormat) => {
		const command = { title: format.toUpperCase(), command: "copilot-ld.openResult", arguments: [format] };
		return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
	};
	vscode.languages.registerCodeLensProvider(RESULT_FILE, {
		onDidChangeCodeLenses: changed.event,
		provideCodeLenses: () => formatsOf(answer).map(toLens),
	});
	vscode.languages.registerDocumentLinkProvider(RESULT_FILE, { provideDocumentLinks: () => links });
	return {
		answer: () => answer,
		set: (newAnswer: GraphAnswer, newLinks: vscode.DocumentLink[]) => {
			[answer, links] = [newAnswer, newLinks];
			changed.fire();
		},
	};
}

/** Places a syntax error at the position that the engine reports, else at the beginning. */
function mistakeIn(document: vscode.TextDocument, failure: Failure): vscode.Diagnostic {
	const [, line = 1, column = 1] = (/\b(\d+):(\d+)/.exec(failure.message) ?? []).map(Number);
	const place = document.validatePosition(new vscode.Position(line - 1, column - 1));
	// At the end of a line, mark the character before.
	const rest = document.lineAt(place).text.slice(place.character);
	const start = rest === "" ? place.translate(0, -Math.min(1, place.character)) : place;
	const end = rest === "" ? place : place.translate(0, /^\S+|^./.exec(rest)?.[0].length ?? 0);
	return diagnosticAt(new vscode.Range(start, end), toldOf(failure), vscode.DiagnosticSeverity.Error);
}

function unknownIn(document: vscode.TextDocument, { iri, nearest }: UnknownTerm): vscode.Diagnostic[] {
	const near = nearest.map((each) => `<${each}>`).join(", ");
	const message =
		near === ""
			? vscode.l10n.t("No document uses <{0}>.", iri)
			: vscode.l10n.t("No document uses <{0}>. Nearest: {1}.", iri, near);
	return namesOf(document)
		.names.filter((name) => name.iri === iri)
		.map((name) => diagnosticAt(rangeOf(document, name), message));
}

/** Formats an answer as plain text, its rows in columns. Values are not escaped: the text is not Markdown. */
function resultText(result: GraphResult, sparql: string, found: Found): ResultText {
	const { answer, isPartial = false } = result;
	if (answer.kind === "boolean") return { text: answer.value ? l10n.t("Yes.") : l10n.t("No."), links: [] };
	if (answer.kind === "quads") {
		const { length } = answer.quads;
		const count = answer.truncated
			? l10n.t("{0} statements; more were left out.", numeral(length))
			: statementsText(length);
		const header = [l10n.t("subject"), l10n.t("property"), l10n.t("value")];
		return tableOf(count, header, rowsOf(answer), found);
	}
	const count = translated(describeRows({ ...answer, isPartial }, sparql));
	return tableOf(count, answer.variables, rowsOf(answer), found);
}

const statementsText = counted(l10n.t("1 statement."), l10n.t("{0} statements."));

type Rows = readonly (readonly (Term | undefined)[])[];

function rowsOf(answer: GraphAnswer): Rows {
	if (answer.kind === "boolean") return [];
	if (answer.kind === "rows") return answer.rows.map((row) => answer.variables.map((name) => row[name]));
	return answer.quads.map(({ subject, predicate, object }) => [subject, predicate, object]);
}

function tableOf(count: string, header: readonly string[], rows: Rows, found: Found): ResultText {
	const cells = rows.map((row) => row.map((term) => cellOf(term, found)));
	const widths = header.map((name, column) =>
		Math.max(name.length, ...cells.map((row) => row[column]?.text.length ?? 0)),
	);
	const lineOf = (texts: readonly string[]) =>
		texts
			.map((text, column) => text.padEnd(widths[column] ?? 0))
			.join("  ")
			.trimEnd();
	const head = [count, "", lineOf(header), widths.map((width) => "─".repeat(width)).join("  ")];
	const starts = widths.map((_, column) =>
		widths.slice(0, column).reduce((sum, width) => sum + width + 2, 0),
	);
	const links = cells.flatMap((row, index) =>
		row.flatMap(({ text, place }, column) => {
			if (!place) return [];
			const [line, start] = [head.length + index, starts[column] ?? 0];
			const range = new vscode.Range(line, start, line, start + text.length);
			const fragment = `L${place.lines.start}-${place.lines.end}`;
			return [new vscode.DocumentLink(range, vscode.Uri.parse(place.uri).with({ fragment }))];
		}),
	);
	return { text: [...head, ...cells.map((row) => lineOf(row.map(({ text }) => text)))].join("\n"), links };
}

function cellOf(term: Term | undefined, found: Found): { readonly text: string; readonly place?: Place } {
	if (!term) return { text: "" };
	const isName = term.termType !== "Literal";
	const { label, place } = (isName && found[idOf(term)]) || { label: isName ? idOf(term) : term.value };
	const line = visibleLines(label).replace(/\s+/g, " ").trim();
	const text = line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
	return { text, ...(place && { place }) };
}

function thingsIn(answer: GraphAnswer): string[] {
	const terms = rowsOf(answer).flat();
	return [...new Set(terms.flatMap((term) => (!term || term.termType === "Literal" ? [] : idOf(term))))];
}

const ROW_FORMATS = ["csv", "tsv", "json"] as const;

export type ResultFormat = (typeof ROW_FORMATS)[number] | "ttl";

export function formatsOf({ kind }: GraphAnswer): readonly ResultFormat[] {
	if (kind === "boolean") return ["json"];
	return kind === "quads" ? ["ttl"] : ROW_FORMATS;
}

/** Writes W3C SPARQL 1.1 Query Results as CSV, TSV or JSON, and statements as Turtle. */
export function writeResult(answer: GraphAnswer, format: ResultFormat): string {
	if (answer.kind === "boolean") return writeJson({ head: {}, boolean: answer.value });
	if (answer.kind === "quads") return writeTurtle(answer.quads);
	const { variables } = answer;
	const cells = rowsOf(answer);
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
