import type { Extract } from "./extract.ts";
import type { Sheet } from "./sheet.ts";
import { walkXml } from "./xml.ts";

/** Cells and rows of one file that are told again and again take no more than this. */
const MAX_CELLS = 2_000_000;
const MAX_REPEATED = 1000;

/** The sheets of an open document. A cell may stand for many that are alike. */
export function readTables(content: string, extract: Extract): Sheet[] {
	const sheets: (Sheet & { rows: Map<number, Map<number, string>> })[] = [];
	let left = MAX_CELLS;
	let row = { number: 0, repeated: 1, cells: new Map<number, string>(), column: 0 };
	let cell = { repeated: 1, value: "", texts: [] as string[] };
	let text: string | undefined;
	walkXml(content, {
		open: (name, attribute) => {
			if (name === "table") {
				sheets.push({ name: attribute("table:name") ?? "", rows: new Map() });
				row = { number: 0, repeated: 1, cells: new Map(), column: 0 };
			} else if (name === "table-row") {
				const repeated = countOf(attribute("table:number-rows-repeated"));
				row = { number: row.number + 1, repeated, cells: new Map(), column: 0 };
			} else if (CELLS.has(name)) {
				const repeated = countOf(attribute("table:number-columns-repeated"));
				const isDate = attribute("office:value-type") === "date";
				cell = { repeated, value: isDate ? (attribute("office:date-value") ?? "") : "", texts: [] };
			} else if (name === "p") text = "";
			else if (name === "s" && text !== undefined) text += " ";
		},
		text: (more) => {
			if (text !== undefined) text += more;
		},
		close: (name) => {
			if (name === "p" && text !== undefined) {
				cell.texts.push(text);
				text = undefined;
			} else if (CELLS.has(name)) endCell();
			else if (name === "table-row") endRow();
		},
	});
	if (left < 0) extract.problem(`Only the first ${MAX_CELLS.toLocaleString("en")} cells are read.`);
	return sheets;

	function endCell(): void {
		const value = cell.value.replace(/T00:00:00$/, "") || cell.texts.join(" ");
		for (let at = 0; value !== "" && at < Math.min(cell.repeated, MAX_REPEATED) && --left >= 0; at++)
			row.cells.set(row.column + at, value);
		row.column += cell.repeated;
	}

	function endRow(): void {
		const rows = sheets.at(-1)?.rows;
		const copies = row.cells.size > 0 ? Math.min(row.repeated, MAX_REPEATED) : 0;
		for (let at = 0; at < copies && left >= 0; at++, left -= row.cells.size)
			rows?.set(row.number + at, row.cells);
		row = { ...row, number: row.number + row.repeated - 1 };
	}
}

const CELLS = new Set(["table-cell", "covered-table-cell"]);

function countOf(repeated: string | undefined): number {
	const count = Number(repeated ?? 1);
	return Number.isInteger(count) && count > 0 ? Math.min(count, 20_000_000) : 1;
}
