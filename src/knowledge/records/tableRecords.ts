import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { type Literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { fileStem } from "../passages/fileName.ts";
import { only, squeeze } from "../passages/lines.ts";
import type { Row } from "../passages/tableRows.ts";
import { literalOf } from "./literals.ts";
import { type Naming, namingOf } from "./naming.ts";
import { keyIri, kindIri, unnamedColumn } from "./recordIris.ts";
import { createRecords, type Records } from "./records.ts";

interface TableRow {
	readonly row: Row;
	readonly lines: LineRange;
	readonly subject: string;
}

interface TableForm {
	/** IRI of the rows' class. */
	readonly kind: string;
	/** IRIs by column. */
	readonly properties: ReadonlyMap<number, string>;
	/** What contains the table. */
	readonly whole?: NamedNode | undefined;
}

const READABLE = /[\p{L}\p{N}]/u;

interface Cell {
	readonly subject: NamedNode;
	readonly property: string;
	readonly lines: LineRange;
}

/** Number of equal values to share. */
const MOST_SHARED = 20_000;

/** Chooses the naming column from the first rows. */
export function createTableRecords(records: Records, { kind, properties, whole }: TableForm) {
	const literals = new Map<string, Literal>();
	let naming: Naming | undefined;
	return {
		add: (rows: readonly TableRow[]): void => {
			naming ??= namingOf(
				properties,
				rows.map(({ row }) => row),
			);
			for (const row of rows) addRow(row);
		},
	};

	function addRow({ row, lines, subject: iri }: TableRow): void {
		if (!READABLE.test([...row.values()].join(" "))) return;
		const subject = namedNode(iri);
		const name = nameOf(row, naming);
		if (!records.add({ subject, kind, label: name, lines })) return;
		if (!hasName(row, naming)) records.state(subject, `${SCHEMA}name`, shared(name), lines);
		for (const [column, property] of properties) stateCell({ subject, property, lines }, row.get(column));
		if (whole) records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
	}

	function stateCell({ subject, property, lines }: Cell, text = ""): void {
		const value = text.trim();
		if (value !== "") records.state(subject, property, shared(value), lines);
	}

	function shared(text: string): Literal {
		const known = literals.get(text);
		if (known) return known;
		const value = literalOf(text);
		if (literals.size < MOST_SHARED) literals.set(text, value);
		return value;
	}
}

/** Falls back to the row's first cell. */
function nameOf(row: Row, naming: Naming | undefined): string {
	const cells = [row.get(naming?.column ?? 0) ?? "", ...row.values()];
	return squeeze(cells.find((cell) => cell.trim() !== "") ?? "");
}

function hasName(row: Row, naming: Naming | undefined): boolean {
	return naming?.isStated === true && (row.get(naming.column) ?? "").trim() !== "";
}

/** Rows below the header, with lines of the extracted text. */
export interface SheetTable {
	/** Name of the sheet. */
	readonly name: string;
	readonly header: Row;
	readonly rows: readonly { readonly row: Row; readonly line: number }[];
}

/** Default sheet names of programs in several languages. */
const UNNAMED =
	/^(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|table|лист|シート|工作表)[\s_]?\d*$/iu;

export function withSheetRecords(
	document: ParsedDocument,
	uri: string,
	tables: readonly SheetTable[],
): ParsedDocument {
	const records = createRecords();
	for (const { name, header, rows } of tables) {
		const properties = new Map(
			Array.from(header, ([column, words]) => [column, keyIri(squeeze(words) || unnamedColumn(column))]),
		);
		const kind = kindIri(UNNAMED.test(name.trim()) || name.trim() === "" ? fileStem(uri) : name);
		const table = createTableRecords(records, { kind, properties, whole: namedNode(uri) });
		table.add(rows.map(({ row, line }) => ({ row, lines: only(line), subject: `${uri}#line=${line}` })));
	}
	return records.addTo(document);
}
