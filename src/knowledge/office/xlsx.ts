import { numeral } from "../../base/text/plural.ts";
import type { Row } from "../passages/tableRows.ts";
import type { NamedPlace } from "../resources/documentFacts.ts";
import { createExtract } from "./extract.ts";
import { cellText, type NumberFormats, readNumberFormats } from "./numberFormats.ts";
import { type OfficeRead, readOfficeFacts, readRelations, resolvePath } from "./officeXml.ts";
import { addSheet, cellAt, type Sheet } from "./sheet.ts";
import { Unreadable } from "./unreadable.ts";
import { walkXml } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

const WANTED =
	/^(?:xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml|docProps\/(?:core|app)\.xml)$/i;

/** Cells of one file; a sheet of numbers is no one's reading. */
const MAX_CELLS = 2_000_000;

/** Excel: a part for each sheet, a line for each row with the names of its columns; named ranges are facts. */
export const readXlsx: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => WANTED.test(name));
	const { sheets, names } = readWorkbook(archive);
	if (sheets.length === 0) throw new Unreadable("it has no sheets");
	const context: Context = {
		strings: readStrings(archive.text("xl/sharedStrings.xml")),
		formats: readNumberFormats(archive.text("xl/styles.xml"), archive.text("xl/workbook.xml")),
		left: { cells: MAX_CELLS },
	};
	const extract = createExtract();
	const lines = new Map(
		sheets.map(({ name, path }, index) => {
			const sheet = { name, rows: readRows(archive.text(path), context) };
			return [name, addSheet(extract, sheet, index)] as const;
		}),
	);
	if (context.left.cells < 0) extract.problem(`Only the first ${numeral(MAX_CELLS)} cells are read.`);
	const facts = readOfficeFacts(archive, "SpreadsheetDigitalDocument");
	return extract.finish(uri, { ...facts, names: names.flatMap((name) => placeOf(name, lines)) });
};

interface Context {
	readonly strings: readonly string[];
	readonly formats: NumberFormats;
	readonly left: { cells: number };
}

interface DefinedName {
	readonly name: string;
	readonly value: string;
}

function readWorkbook(archive: Archive) {
	const targets = readRelations(archive.text("xl/_rels/workbook.xml.rels"));
	const sheets: { name: string; path: string }[] = [];
	const names: DefinedName[] = [];
	let name: string | undefined;
	walkXml(archive.text("xl/workbook.xml"), {
		open: (element, attribute) => {
			const target = element === "sheet" ? targets.get(attribute("r:id") ?? "") : undefined;
			if (target !== undefined)
				sheets.push({ name: attribute("name") ?? "", path: resolvePath("xl/workbook.xml", target) });
			name = element === "definedName" ? attribute("name") : undefined;
		},
		text: (value) => {
			if (name !== undefined && !name.startsWith("_xlnm")) names.push({ name, value });
		},
		close: () => {
			name = undefined;
		},
	});
	return { sheets, names };
}

/** `Sheet1!$A$1:$B$3` with the lines of its rows; nothing for formulas. */
function placeOf(
	{ name, value }: DefinedName,
	lines: ReadonlyMap<string, ReadonlyMap<number, number>>,
): NamedPlace[] {
	const [, sheet = "", first = "", last = first] =
		/^(?:'((?:[^']|'')+)'|[^!]+)!(\$?[A-Z]+\$?\d+)(?::(\$?[A-Z]+\$?\d+))?$/.exec(value) ?? [];
	const own = lines.get(sheet.replaceAll("''", "'") || value.replace(/!.*$/, ""));
	const start = own?.get(cellAt(first)?.row ?? 0);
	const end = own?.get(cellAt(last)?.row ?? 0) ?? start;
	return start === undefined || end === undefined ? [] : [{ name, value, lines: { start, end } }];
}

function readStrings(xml: string): string[] {
	const strings: string[] = [];
	let text: string | undefined;
	let isText = false;
	let isPhonetic = false;
	walkXml(xml, {
		open: (name) => {
			if (name === "si") text = "";
			if (name === "rPh") isPhonetic = true;
			isText = name === "t" && !isPhonetic;
		},
		text: (more) => {
			if (isText) text += more;
		},
		close: (name) => {
			if (name === "rPh") isPhonetic = false;
			isText = false;
			if (name !== "si" || text === undefined) return;
			strings.push(text);
			text = undefined;
		},
	});
	return strings;
}

function readRows(xml: string, context: Context): Sheet["rows"] {
	const rows = new Map<number, Map<number, string>>();
	let row = 0;
	let cell = { column: -1, type: "", style: 0 };
	let value = "";
	let isValue = false;
	walkXml(xml, {
		open: (name, attribute) => {
			if (name === "row") {
				row = Number(attribute("r") ?? row + 1);
				cell = { ...cell, column: -1 };
			} else if (name === "c") {
				const column = cellAt(attribute("r") ?? "")?.column ?? cell.column + 1;
				cell = { column, type: attribute("t") ?? "n", style: Number(attribute("s") ?? 0) };
				value = "";
			}
			isValue = name === "v" || name === "t";
		},
		text: (text) => {
			if (isValue) value += text;
		},
		close: (name) => {
			isValue = false;
			if (name !== "c" || value === "" || --context.left.cells < 0) return;
			const cells = rows.get(row) ?? new Map<number, string>();
			cells.set(cell.column, textOf(value, cell, context));
			rows.set(row, cells);
		},
	});
	return new Map<number, Row>([...rows].sort(([a], [b]) => a - b));
}

function textOf(value: string, cell: { type: string; style: number }, { strings, formats }: Context): string {
	if (cell.type === "s") return strings[Number(value)] ?? "";
	if (cell.type === "b") return value === "1" ? "TRUE" : "FALSE";
	return cell.type === "n" ? cellText(value, cell.style, formats) : value;
}
