import { numeral } from "../../base/text/plural.ts";
import { wordList, wordMap } from "../../base/words/wordList.ts";
import type { Row } from "../passages/tableRows.ts";
import { addSheet, createExtract, MAX_CELLS, type Sheet, Unreadable } from "./extract.ts";
import {
	type Archive,
	elementsNamed,
	type OfficeRead,
	openArchive,
	readOfficeFacts,
	readRelations,
	resolvePath,
	walkElements,
	walkTexts,
} from "./officeXml.ts";

const WANTED =
	/^(?:xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml|docProps\/(?:core|app)\.xml)$/i;

/** Built-in formats that change how a number appears. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
	...wordMap("1=0 2=0.00 3=#,##0 4=#,##0.00 9=0% 10=0.00% 37=#,##0 38=#,##0 39=#,##0.00 40=#,##0.00"),
	...wordList("14 15 16 17 27 30 36 50 57").map((id): [string, string] => [id, "yyyy-mm-dd"]),
	...wordList("18 19 20 21 45 46 47").map((id): [string, string] => [id, "hh:mm:ss"]),
	["22", "yyyy-mm-dd hh:mm"],
]);

const DAY_MS = 86_400_000;

/** Reads each sheet as one part, and each row as one line with column names. */
export const readXlsx: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => WANTED.test(name));
	const sheets = sheetsIn(archive);
	if (sheets.length === 0) throw new Unreadable("it has no sheets");
	const strings: string[] = [];
	// `rPh` has the pronunciation of Asian characters.
	const inStrings = { textIn: ["t"], silent: ["rPh"] };
	walkTexts(archive.text("xl/sharedStrings.xml"), ["si"], (text) => strings.push(text), inStrings);
	const formats = readNumberFormats(archive.text("xl/styles.xml"), archive.text("xl/workbook.xml"));
	const context: Context = { strings, formats, cellsLeft: MAX_CELLS };
	const extract = createExtract();
	for (const [index, { name, path }] of sheets.entries())
		addSheet(extract, { name, rows: readRows(archive.text(path), context) }, index);
	if (context.cellsLeft < 0) extract.problem(`Only the first ${numeral(MAX_CELLS)} cells are read.`);
	return extract.finish(uri, readOfficeFacts(archive, "SpreadsheetDigitalDocument"));
};

type Formats = ReturnType<typeof readNumberFormats>;
type Context = { readonly strings: readonly string[]; readonly formats: Formats; cellsLeft: number };

function sheetsIn(archive: Archive) {
	const targets = readRelations(archive.text("xl/_rels/workbook.xml.rels"));
	return elementsNamed("sheet", archive.text("xl/workbook.xml")).flatMap((attribute) => {
		const target = targets.get(attribute("r:id") ?? "");
		if (target === undefined) return [];
		return [{ name: attribute("name") ?? "", path: resolvePath("xl/workbook.xml", target) }];
	});
}

function readRows(xml: string, context: Context): Sheet["rows"] {
	const rows = new Map<number, Map<number, string>>();
	let row = 0;
	let cell = { column: -1, type: "", style: 0 };
	let value = "";
	walkElements(xml, {
		opened: {
			row: (attribute) => {
				row = Number(attribute("r") ?? row + 1);
				cell = { ...cell, column: -1 };
			},
			c: (attribute) => {
				const column = columnOf(attribute("r") ?? "") ?? cell.column + 1;
				cell = { column, type: attribute("t") ?? "n", style: Number(attribute("s") ?? 0) };
				value = "";
			},
		},
		closed: {
			c: () => {
				if (value === "" || --context.cellsLeft < 0) return;
				const cells = rows.get(row) ?? new Map<number, string>();
				cells.set(cell.column, textOf(value, cell, context));
				rows.set(row, cells);
			},
		},
		text: (text) => {
			value += text;
		},
		textIn: ["v", "t"],
	});
	return new Map<number, Row>([...rows].sort(([a], [b]) => a - b));
}

/** Column, from 0, of `AB12`. */
function columnOf(reference: string): number | undefined {
	const [, letters] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? [];
	return letters === undefined
		? undefined
		: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf(value: string, cell: { type: string; style: number }, { strings, formats }: Context): string {
	if (cell.type === "s") return strings[Number(value)] ?? "";
	if (cell.type === "b") return value === "1" ? "TRUE" : "FALSE";
	return cell.type === "n" ? cellText(value, cell.style, formats) : value;
}

/** Format codes by style number, and whether dates count from 1904. */
function readNumberFormats(styles: string, workbook: string) {
	const formats = elementsNamed("numFmt", styles);
	const own = new Map(formats.map((attribute) => [attribute("numFmtId"), attribute("formatCode")]));
	const [used = ""] = /<(?:\w+:)?cellXfs[\s\S]*?<\/(?:\w+:)?cellXfs/.exec(styles) ?? [];
	const codes = elementsNamed("xf", used).map((attribute) => {
		const id = attribute("numFmtId") ?? "0";
		return own.get(id) ?? BUILT_IN.get(id) ?? "";
	});
	return { codes, isFrom1904: /date1904="(?:1|true)"/.test(workbook) };
}

/** A number as displayed, as far as the display does not depend on the user's language. */
function cellText(value: string, style: number, { codes, isFrom1904 }: Formats): string {
	const number = Number(value);
	if (value.trim() === "" || !Number.isFinite(number)) return value;
	const [first = ""] = (codes[style] ?? "").split(";");
	const quoted = first.match(/"[^"]*"/g)?.join("") ?? "";
	const code = first.replace(/"[^"]*"|\\.|\[(?!\$)[^\]]*\]|_./g, "");
	if (/[ymdhs]/i.test(code.replace(/\[\$[^\]]*\]|general/gi, ""))) return dateText(number, code, isFrom1904);
	if (code.includes("%")) return `${fixed(number * 100, code)}%`;
	const currency = /\[\$([^\]-]+)[^\]]*\]/.exec(code)?.[1] ?? /[$€£¥]/.exec(code + quoted)?.[0] ?? "";
	return currency + fixed(number, code);
}

/** Formats a number with the digits and commas of the code. Without a code, removes binary rounding noise. */
function fixed(number: number, code: string): string {
	const digits = /0\.(0+)/.exec(code)?.[1]?.length ?? (/(?:^|[#,\]$€£¥])0(?!\.)/.test(code) ? 0 : undefined);
	if (digits === undefined) return String(Number(number.toPrecision(15)));
	const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
	return number.toLocaleString("en", { ...options, useGrouping: code.includes(",") });
}

function dateText(days: number, code: string, isFrom1904: boolean): string {
	// Excel treats 1900 as a leap year.
	const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
	const date = new Date(epoch + Math.round(days * DAY_MS));
	if (Number.isNaN(date.getTime())) return String(days);
	const iso = date.toISOString();
	const hasDay = /[yd]/i.test(code);
	const hasTime = /[hs]/i.test(code);
	if (hasDay) return hasTime ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10);
	return hasTime ? iso.slice(11, 19) : iso.slice(0, 7);
}
