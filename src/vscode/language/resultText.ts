import { l10n } from "vscode";
import { describeRows } from "../../agent/graph/graphTable.ts";
import { visibleLines } from "../../base/text/visibleLines.ts";
import type { GraphAnswer, GraphResult } from "../../core/knowledge/graph.ts";
import type { Subject, Term } from "../../core/knowledge/rdf.ts";
import type { FoundThing, Place } from "../../core/knowledge/things.ts";
import { numeral } from "../amounts.ts";
import { translated } from "../reported.ts";

/** Characters of a cell. */
const WIDTH = 60;

/** A text and where a click on parts of it leads. */
export interface ResultText {
	readonly text: string;
	readonly links: readonly {
		readonly line: number;
		readonly start: number;
		readonly end: number;
		readonly place: Place;
	}[];
}

type Found = Readonly<Record<string, FoundThing>>;

/** The answer of a query as plain text, its rows in columns. Values stand as they are: nothing in them is Markdown. */
export function resultText(
	{ answer, isPartial = false }: GraphResult,
	sparql: string,
	found: Found,
): ResultText {
	if (answer.kind === "boolean") return { text: answer.value ? l10n.t("Yes.") : l10n.t("No."), links: [] };
	if (answer.kind === "quads") {
		const rows = answer.quads.map(({ subject, predicate, object }) => [subject, predicate, object]);
		const count = statementsText(rows.length, answer.truncated);
		return tableOf({ count, header: [l10n.t("subject"), l10n.t("property"), l10n.t("value")], rows }, found);
	}
	const { variables, rows } = answer;
	const count = translated(describeRows({ ...answer, isPartial }, sparql));
	return tableOf(
		{ count, header: variables, rows: rows.map((row) => variables.map((name) => row[name])) },
		found,
	);
}

function statementsText(count: number, isCut: boolean): string {
	if (isCut) return l10n.t("{0} statements; more were left out.", numeral(count));
	return count === 1 ? l10n.t("1 statement.") : l10n.t("{0} statements.", numeral(count));
}

interface Table {
	readonly count: string;
	readonly header: readonly string[];
	readonly rows: readonly (readonly (Term | undefined)[])[];
}

function tableOf({ count, header, rows }: Table, found: Found): ResultText {
	const cells = rows.map((row) =>
		row.map((term) => ({ text: cellOf(term, found), place: placeOf(term, found) })),
	);
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
			const start = starts[column] ?? 0;
			return place ? [{ line: head.length + index, start, end: start + text.length, place }] : [];
		}),
	);
	return { text: [...head, ...cells.map((row) => lineOf(row.map(({ text }) => text)))].join("\n"), links };
}

/** What a thing is called, or a value as it is. */
function cellOf(term: Term | undefined, found: Found): string {
	if (!term) return "";
	const label = term.termType === "Literal" ? term.value : (found[idOf(term)]?.label ?? idOf(term));
	const line = visibleLines(label).replace(/\s+/g, " ").trim();
	return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
}

function placeOf(term: Term | undefined, found: Found): Place | undefined {
	return term && term.termType !== "Literal" ? found[idOf(term)]?.place : undefined;
}

function idOf({ termType, value }: Subject): string {
	return termType === "BlankNode" ? `_:${value}` : value;
}

/** The things of an answer. */
export function thingsIn(answer: GraphAnswer): string[] {
	if (answer.kind === "boolean") return [];
	const terms =
		answer.kind === "rows"
			? answer.rows.flatMap((row) => Object.values(row))
			: answer.quads.flatMap(({ subject, predicate, object }) => [subject, predicate, object]);
	return [...new Set(terms.flatMap((term) => (term.termType === "Literal" ? [] : idOf(term))))];
}
