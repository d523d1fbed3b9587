import { memoize } from "../../base/jobs/lazily.ts";
import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import type { Section } from "../passages/sections.ts";
import { fileStem, only, READABLE, squeeze } from "../passages/source.ts";
import type { Row } from "../passages/tableRows.ts";
import { literalOf } from "../resources/literals.ts";
import { type Naming, namingOf } from "./naming.ts";
import { createRecords, keyIri, kindIri, type Records, unnamedColumn } from "./records.ts";

interface TableRow {
	readonly row: Row;
	readonly lines: LineRange;
	readonly subject: string;
}

interface TableForm {
	readonly kind: string;
	readonly properties: ReadonlyMap<number, string>;
	readonly whole?: NamedNode | undefined;
}

const MOST_SHARED = 20_000;

/** Returns a function that adds rows. The first call chooses the naming column. */
export function createTableRecords(records: Records, { kind, properties, whole }: TableForm) {
	const shared = memoize(literalOf, MOST_SHARED);
	let naming: Naming | undefined;
	return (rows: readonly TableRow[]): void => {
		const judged = naming ? [] : rows.map(({ row }) => row);
		naming ??= namingOf(properties, judged, kind);
		for (const row of rows) addRow(row);
	};

	function addRow({ row, lines, subject: iri }: TableRow): void {
		if (!READABLE.test([...row.values()].join(" "))) return;
		const subject = namedNode(iri);
		const name = nameOf(row, naming);
		if (!records.add({ subject, kind, label: name, lines })) return;
		const isNamed = naming?.isStated && row.get(naming.column)?.trim();
		if (!isNamed) records.state(subject, `${SCHEMA}name`, shared(name), lines);
		stateCells(subject, row, lines);
		if (whole) records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
	}

	function stateCells(subject: NamedNode, row: Row, lines: LineRange): void {
		for (const [column, property] of properties) {
			const value = row.get(column)?.trim() ?? "";
			if (value !== "") records.state(subject, property, shared(value), lines);
		}
	}
}

export function columnKeys(header: Row): Map<number, string> {
	const keyOf = (words: string, column: number) => keyIri(squeeze(words) || unnamedColumn(column));
	return new Map(Array.from(header, ([column, words]) => [column, keyOf(words, column)]));
}

function nameOf(row: Row, naming: Naming | undefined): string {
	const cells = [row.get(naming?.column ?? 0) ?? "", ...row.values()];
	const name = squeeze(cells.find((cell) => cell.trim() !== "") ?? "");
	return naming?.before === undefined || name === "" ? name : `${naming.before} ${name}`;
}

/** Rows below the header, with their lines in the extracted text. */
export interface SheetTable {
	readonly name: string;
	readonly header: Row;
	readonly rows: readonly { readonly row: Row; readonly line: number }[];
}

/** Default sheet names of programs in several languages. */
const UNNAMED =
	/^(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|table|лист|シート|工作表)[\s_]?\d*$/iu;

export function withSheetRecords(document: ParsedDocument, uri: string, tables: readonly SheetTable[]) {
	const records = createRecords();
	for (const { name, header, rows } of tables) {
		const kind = kindIri(UNNAMED.test(name.trim()) || name.trim() === "" ? fileStem(uri) : name);
		const form = { kind, properties: columnKeys(header), whole: namedNode(uri) };
		const addRows = createTableRecords(records, form);
		addRows(rows.map(({ row, line }) => ({ row, lines: only(line), subject: `${uri}#line=${line}` })));
	}
	return records.addTo(document);
}

export interface HeadingPlace {
	/** Innermost heading, otherwise the file's name. */
	readonly heading: string;
	readonly lines?: LineRange | undefined;
	/** Returns the document if the heading is the title; otherwise, a resource that is added on first use. */
	thing(): NamedNode;
}

/** Creates IRIs for lines. The IRIs are unique even if a line has several resources. */
export function createLineIris(uri: string): (line: number) => string {
	const used = new Map<number, number>();
	return (line) => {
		const before = used.get(line) ?? 0;
		used.set(line, before + 1);
		return `${uri}#line=${line}${before === 0 ? "" : `;${before + 1}`}`;
	};
}

export interface RecordTarget {
	readonly records: Records;
	readonly lineIris: ReturnType<typeof createLineIris>;
	/** Removes the format's markup. */
	readonly plain: (text: string) => string;
}

/** Tracks open headings. Sections must be entered in order. */
export function createHeadings(uri: string, sections: readonly Section[], target: RecordTarget) {
	const { records, lineIris } = target;
	const document: HeadingPlace = { heading: fileStem(uri), thing: () => namedNode(uri) };
	const title = titleIn(sections);
	const open: HeadingPlace[] = [];
	return (section: Section): HeadingPlace => {
		const { path } = section;
		const lines = linesOf(section);
		open.length = Math.min(open.length, lines ? path.length - 1 : path.length);
		const outer = open.at(-1) ?? document;
		const heading = path.at(-1) ?? document.heading;
		if (!lines) return { heading, thing: outer.thing };
		const thing = section === title ? document.thing : () => addHeading(heading, lines, outer);
		const place = { heading, lines, thing: memoize<void, NamedNode>(thing) };
		open.push(place);
		return place;
	};

	function addHeading(heading: string, lines: LineRange, outer: HeadingPlace): NamedNode {
		const whole = outer.thing();
		const subject = namedNode(lineIris(lines.start));
		if (!records.add({ subject, label: heading, lines })) return whole;
		records.state(subject, `${SCHEMA}name`, literal(heading), lines);
		records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
		return subject;
	}
}

function linesOf({ path, heading, headingLines }: Section): LineRange | undefined {
	return path.length > 0 && heading?.text !== "" ? (heading?.lines ?? headingLines) : undefined;
}

/** The first heading, if it is the only top-level heading or has no text of its own. */
function titleIn(sections: readonly Section[]): Section | undefined {
	const [first, ...others] = sections.filter((section) => linesOf(section));
	const isAlone = others.every(({ path }) => path.length > 1);
	const isBare = first?.blocks.length === 0 && others[0]?.path.length === 1;
	return isAlone || isBare ? first : undefined;
}
