import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { fileStem } from "../passages/fileName.ts";
import { only } from "../passages/lines.ts";
import type { Row } from "../passages/tableRows.ts";
import { squeeze } from "../passages/words.ts";
import { namedNode } from "../resources/terms.ts";
import { keyIri, kindIri, unnamedColumn } from "./recordIris.ts";
import { createRecords } from "./records.ts";
import { createTableRecords } from "./tableRecords.ts";

/** The rows of a sheet below its header, with their lines in the extracted text. */
export interface SheetTable {
	/** Of the sheet. */
	readonly name: string;
	readonly header: Row;
	readonly rows: readonly { readonly row: Row; readonly line: number }[];
}

/** Names that programs give to sheets, in some languages. */
const UNNAMED =
	/^(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|table|лист|シート|工作表)[\s_]?\d*$/iu;

/** The document of a workbook with the rows of its sheets as statements. */
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
