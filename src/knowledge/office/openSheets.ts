import { numeral } from "../../base/text/plural.ts";
import type { Extract } from "./extract.ts";
import type { Sheet } from "./sheet.ts";
import { type Attributes, walkXml } from "./xml.ts";

/** Cells and rows of one file that are told again and again take no more than this. */
const MAX_CELLS = 2_000_000;
const MAX_REPEATED = 1000;

/** The sheets of an open document. A cell may stand for many that are alike. */
export function readTables(content: string, extract: Extract): Sheet[] {
	const tables = createTables();
	walkXml(content, {
		open: (name, attribute) => {
			if (Object.hasOwn(tables.opened, name)) tables.opened[name]?.(attribute);
		},
		text: tables.text,
		close: (name) => {
			if (Object.hasOwn(tables.closed, name)) tables.closed[name]?.(NO_ATTRIBUTES);
		},
	});
	if (tables.isFull()) extract.problem(`Only the first ${numeral(MAX_CELLS)} cells are read.`);
	return tables.sheets;
}

function createTables() {
	const sheets: (Sheet & { readonly rows: Map<number, Map<number, string>> })[] = [];
	let left = MAX_CELLS;
	let row = { number: 0, repeated: 1, cells: new Map<number, string>(), column: 0 };
	let cell = { repeated: 1, value: "", texts: [] as string[] };
	const openCell = (attribute: Attributes) => {
		const isDate = attribute("office:value-type") === "date";
		const value = isDate ? (attribute("office:date-value") ?? "") : "";
		cell = { repeated: countOf(attribute("table:number-columns-repeated")), value, texts: [] };
	};
	const closeCell = () => {
		const value = cell.value.replace(/T00:00:00$/, "") || cell.texts.join(" ");
		for (let at = 0; value !== "" && at < Math.min(cell.repeated, MAX_REPEATED) && --left >= 0; at++)
			row.cells.set(row.column + at, value);
		row.column += cell.repeated;
	};
	const closeRow = () => {
		const rows = sheets.at(-1)?.rows;
		const copies = row.cells.size > 0 ? Math.min(row.repeated, MAX_REPEATED) : 0;
		for (let at = 0; at < copies && left >= 0; at++, left -= row.cells.size)
			rows?.set(row.number + at, row.cells);
		row = { ...row, number: row.number + row.repeated - 1 };
	};
	const openTable = (attribute: Attributes) => {
		sheets.push({ name: attribute("table:name") ?? "", rows: new Map() });
		row = { number: 0, repeated: 1, cells: new Map(), column: 0 };
	};
	const openRow = (attribute: Attributes) => {
		const repeated = countOf(attribute("table:number-rows-repeated"));
		row = { number: row.number + 1, repeated, cells: new Map(), column: 0 };
	};
	const text = createText((more) => cell.texts.push(more));
	const cells = (take: (attribute: Attributes) => void) => ({
		"table-cell": take,
		"covered-table-cell": take,
	});
	const opened: Events = {
		table: openTable,
		"table-row": openRow,
		...cells(openCell),
		p: text.open,
		s: text.space,
	};
	const closed: Events = { p: text.close, ...cells(closeCell), "table-row": closeRow };
	return { sheets, opened, closed, text: text.add, isFull: () => left < 0 };
}

const NO_ATTRIBUTES: Attributes = () => undefined;

type Events = Readonly<Record<string, (attribute: Attributes) => void>>;

/** The paragraphs of a cell. */
function createText(take: (text: string) => void) {
	let text: string | undefined;
	return {
		open: () => {
			text = "";
		},
		space: () => {
			if (text !== undefined) text += " ";
		},
		add: (more: string) => {
			if (text !== undefined) text += more;
		},
		close: () => {
			if (text !== undefined) take(text);
			text = undefined;
		},
	};
}

function countOf(repeated: string | undefined): number {
	const count = Number(repeated ?? 1);
	return Number.isInteger(count) && count > 0 ? Math.min(count, 20_000_000) : 1;
}
