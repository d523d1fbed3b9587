import { numeral } from "../../base/text/plural.ts";
import { addSheet, createExtract, MAX_CELLS, type Sheet, Unreadable } from "./extract.ts";
import { createFlow, type ParagraphStyle, type Piece, tell, tellSlide } from "./flow.ts";
import { type Attributes, type OfficeRead, openArchive, readProperties, walkElements } from "./officeXml.ts";

const WANTED = /^(?:content\.xml|meta\.xml|META-INF\/manifest\.xml)$/;

/** Reads headings, lists, tables, notes and comments. Each paragraph is one line. */
export const readOdt: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "TextDigitalDocument");
	const extract = createExtract();
	tell(extract, piecesOf(content));
	return extract.finish(uri, facts);
};

/** Reads each slide with its notes as one part. */
export const readOdp: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "PresentationDigitalDocument");
	const extract = createExtract();
	const pages = content.match(/<draw:page[\s>][\s\S]*?<\/draw:page>/g) ?? [];
	for (const [index, page] of pages.entries()) {
		extract.begin({ name: `s${index + 1}` });
		const [slide = "", notes = ""] = page.split(/(?=<presentation:notes)/);
		tellSlide(extract, piecesOf(slide), piecesOf(notes));
	}
	return extract.finish(uri, facts);
};

/** Reads each sheet as one part, and each row as one line with column names. */
export const readOds: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "SpreadsheetDigitalDocument");
	const extract = createExtract();
	const tables = new Tables();
	walkElements(content, tables);
	if (tables.left < 0) extract.problem(`Only the first ${numeral(MAX_CELLS)} cells are read.`);
	for (const [index, sheet] of tables.sheets.entries()) addSheet(extract, sheet, index);
	return extract.finish(uri, facts);
};

function open(bytes: Uint8Array, type: string) {
	const archive = openArchive(bytes, (name) => WANTED.test(name));
	if (archive.text("META-INF/manifest.xml").includes("encryption-data"))
		throw new Unreadable("it is encrypted with a password");
	const content = archive.text("content.xml");
	if (content === "") throw new Unreadable("it contains no document");
	return { content, facts: { type, ...readProperties(archive.text("meta.xml")) } };
}

/** Elements without text of the document, or with repeated text. */
const SILENT = ["tracked-changes", "forms", "event-listeners", "styles", "automatic-styles", "scripts"];

function piecesOf(xml: string): readonly Piece[] {
	const flow = createFlow();
	const levels: number[] = [];
	let [lists, paragraphs, isTitle] = [0, 0, false];
	const openParagraph = () => {
		flow.openParagraph();
		paragraphs++;
	};
	const closeParagraph = (style: ParagraphStyle) => {
		paragraphs--;
		flow.closeParagraph(style);
	};
	const opened = {
		p: openParagraph,
		h: (attribute: Attributes) => {
			openParagraph();
			levels.push(Number(attribute("text:outline-level") ?? 1));
		},
		frame: (attribute: Attributes) => {
			isTitle = attribute("presentation:class") === "title";
		},
		list: () => void lists++,
		s: (attribute: Attributes) => flow.text(" ".repeat(Math.min(80, Number(attribute("text:c") ?? 1)))),
		tab: () => flow.text("\t"),
		"line-break": () => flow.text("\n"),
		a: (attribute: Attributes) => flow.link(attribute("xlink:href")),
		table: flow.openTable,
	};
	const closed = {
		p: () => {
			closeParagraph(isTitle ? { level: 1 } : { mark: lists > 0 ? "- " : undefined });
		},
		h: () => closeParagraph({ level: levels.pop() ?? 1 }),
		frame: () => {
			isTitle = false;
		},
		list: () => void lists--,
		"table-cell": flow.closeCell,
		"table-row": flow.closeRow,
		table: flow.closeTable,
	};
	const text = (more: string) => (paragraphs > 0 ? flow.text(more.replace(/\s+/g, " ")) : undefined);
	walkElements(xml, { opened, closed, text, silent: SILENT });
	return flow.end();
}

const MAX_REPEATED = 1000;

/** Collects sheets. One element may represent many equal cells or rows. */
class Tables {
	readonly sheets: (Sheet & { readonly rows: Map<number, Map<number, string>> })[] = [];
	left = MAX_CELLS;
	#row = { number: 0, repeated: 1, cells: new Map<number, string>(), column: 0 };
	#cell = { repeated: 1, value: "", text: "" };
	#isText = false;

	readonly opened = {
		table: (attribute: Attributes) => {
			this.sheets.push({ name: attribute("table:name") ?? "", rows: new Map() });
			this.#row = { number: 0, repeated: 1, cells: new Map(), column: 0 };
		},
		"table-row": (attribute: Attributes) => {
			const repeated = countOf(attribute("table:number-rows-repeated"));
			this.#row = { number: this.#row.number + 1, repeated, cells: new Map(), column: 0 };
		},
		"table-cell": (attribute: Attributes) => this.#openCell(attribute),
		"covered-table-cell": (attribute: Attributes) => this.#openCell(attribute),
		p: () => {
			this.#isText = true;
			this.#cell.text += " ";
		},
		s: () => this.text(" "),
	};

	readonly closed = {
		p: () => {
			this.#isText = false;
		},
		"table-cell": () => this.#closeCell(),
		"covered-table-cell": () => this.#closeCell(),
		"table-row": () => this.#closeRow(),
	};

	text(more: string): void {
		if (this.#isText) this.#cell.text += more;
	}

	#openCell(attribute: Attributes): void {
		const value = attribute("office:value-type") === "date" ? (attribute("office:date-value") ?? "") : "";
		this.#cell = { repeated: countOf(attribute("table:number-columns-repeated")), value, text: "" };
	}

	#closeCell(): void {
		const { value: date, text, repeated } = this.#cell;
		const value = date.replace(/T00:00:00$/, "") || text.trim();
		for (let at = 0; value !== "" && at < Math.min(repeated, MAX_REPEATED) && --this.left >= 0; at++)
			this.#row.cells.set(this.#row.column + at, value);
		this.#row.column += repeated;
	}

	#closeRow(): void {
		const { number, repeated, cells } = this.#row;
		const copies = cells.size > 0 ? Math.min(repeated, MAX_REPEATED) : 0;
		for (let at = 0; at < copies && this.left >= 0; at++, this.left -= cells.size)
			this.sheets.at(-1)?.rows.set(number + at, cells);
		this.#row = { ...this.#row, number: number + repeated - 1 };
	}
}

function countOf(repeated: string | undefined): number {
	const count = Number(repeated ?? 1);
	return Number.isInteger(count) && count > 0 ? Math.min(count, 20_000_000) : 1;
}
