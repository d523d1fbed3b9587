import type { RecordBatch, Schema, Table } from "apache-arrow";
import type { Passage } from "../../core/knowledge/document.ts";
import { readSpans, type StoredSpan, storeSpans } from "../../core/knowledge/section.ts";
import { type Analyzer, createAnalyzer, isMark } from "../../search/analyzer.ts";
import type { PassageRow, PlaceRef } from "../../search/rowColumns.ts";
import {
	CODES,
	HALVES,
	integers,
	revisions,
	schemaOf,
	type Column as TableColumn,
	tableInPieces,
	textLists,
	texts,
	typeKeysOf,
	vectorReader,
	vectors,
	writeCodes,
} from "./columns.ts";

const analyzer = createAnalyzer();

const NO_VECTOR = new Float32Array();

/** Number of rows per piece, which takes a few milliseconds. */
const PIECE_ROWS = 500;

/** Short fields of a passage, as JSON before its content: each separate column would take as long to read. */
type Head = readonly [
	revision: number,
	ordinal: number,
	titleLength: number,
	start: number,
	end: number,
	resource: string,
	/** Language of the text; empty if uncertain. */
	language: string,
	/** Codes of the vector in base64, if LanceDB searches: a second column would double the time to read. */
	codes?: string,
	/** Missing in rows of older versions. */
	sections?: readonly StoredSpan[] | undefined,
];

type Column = TableColumn<PreparedRow>;

interface PreparedRow {
	readonly row: PassageRow;
	/** Terms as in memory, including the mark of the language. If they are counted, each term occurs once. */
	readonly terms: readonly string[];
}

const REVISION: Column = revisions(({ row }) => row.revision);
const PLACE: readonly Column[] = [REVISION, integers("ordinal", ({ row }) => row.ordinal)];

/** The document's URI is not a column, because the manifest has it by revision. */
function commonColumns(hasCodes: boolean): Column[] {
	return [
		...PLACE,
		contentColumn(hasCodes),
		texts("resource", ({ row }) => row.passage.resource ?? ""),
		textLists("types", ({ row }) => row.types.flatMap(typeKeysOf)),
	];
}

function contentColumn(hasCodes: boolean): Column {
	return texts("content", (prepared) => contentOf(prepared, hasCodes));
}

function searchedColumns(dimensions: number): Column[] {
	const terms: Column = texts("terms", termText, dimensions > 0);
	return dimensions > 0 ? [terms, vectors("vector", dimensions, vectorOf, HALVES)] : [terms];
}

function vectorOf({ row }: PreparedRow): Float32Array {
	return row.vector;
}

/** A row has either codes or LanceDB's columns, which take twice as much disk space. */
export function passageSchema(dimensions: number, metadata: ReadonlyMap<string, string>): Schema {
	const codes = dimensions > 0 ? [vectors("codes", dimensions, vectorOf, CODES)] : [];
	return schemaOf([...commonColumns(false), ...codes, ...searchedColumns(dimensions)], metadata);
}

export function toPassageTable(
	rows: readonly PassageRow[],
	{ isCompact, dimensions }: { readonly isCompact: boolean; readonly dimensions: number },
): Promise<Table> {
	const searched = isCompact ? [vectors("codes", dimensions, vectorOf, CODES)] : searchedColumns(dimensions);
	const common = commonColumns(dimensions > 0 && !isCompact);
	return toTable(rows, [...common, ...searched]);
}

/** Returns the columns that compact rows lack, by revision and ordinal. Moves the codes into the content. */
export function toCompletion(rows: readonly PassageRow[], dimensions: number): Promise<Table> {
	const codes: Column = vectors("codes", dimensions, () => NO_VECTOR, CODES);
	return toTable(rows, [...PLACE, contentColumn(true), codes, ...searchedColumns(dimensions)]);
}

function toTable(rows: readonly PassageRow[], columns: readonly Column[]): Promise<Table> {
	const prepare = (row: PassageRow) => ({ row, terms: termsOf(row, analyzer) });
	return tableInPieces(rows, columns, PIECE_ROWS, prepare);
}

function contentOf({ row, terms }: PreparedRow, hasCodes: boolean): string {
	const { revision, ordinal, passage, vector } = row;
	const { title, text, lines, resource = "" } = passage;
	const place = [title.length, lines.start, lines.end] as const;
	const language = terms.findLast(isMark)?.slice(1) ?? "";
	const codes = hasCodes ? writeCodes(vector) : "";
	const head: Head = [revision, ordinal, ...place, resource, language, codes, storeSpans(passage.sections)];
	return `${JSON.stringify(head)}\n${title}\n${text}`;
}

export function termsOf({ passage, terms: counted }: PassageRow, analyzer: Analyzer): string[] {
	return counted
		? Array.from(counted.numbers, (number) => counted.vocabulary[number] ?? "")
		: analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
}

/** Repeats each term as often as it occurs, separated by spaces, for LanceDB's full-text index. */
function termText({ row, terms }: PreparedRow): string {
	const { counts } = row.terms ?? {};
	return (counts ? terms.flatMap((term, at) => Array<string>(counts[at] ?? 0).fill(term)) : terms).join(" ");
}

export const PASSAGE_COLUMNS = ["content"];

export const INDEXED_COLUMNS = [...PASSAGE_COLUMNS, "types", "codes", "vector"];

/** Language and codes of the vector are empty if the content lacks them. */
type Told = PlaceRef & {
	readonly passage: Passage;
	readonly language: string;
	readonly codes: string;
};

export function readPassages(result: Table): Told[] {
	return Array.from(result.getChild("content") ?? [], (content) => toRead(String(content)));
}

export function* readIndexed(result: RecordBatch): Generator<PassageRow> {
	const contents = result.getChild("content");
	const types = result.getChild("types");
	const vectorAt = vectorReader(result);
	for (let index = 0; index < result.numRows; index++) {
		const vector = vectorAt(index) ?? new Float32Array();
		yield { ...toRead(String(contents?.get(index))), types: [...(types?.get(index) ?? [])], vector };
	}
}

/** Splits at the first line break, because JSON escapes line breaks. */
function toRead(row: string): Told {
	const headEnd = row.indexOf("\n");
	const head: Head = JSON.parse(row.slice(0, headEnd));
	const [revision, ordinal, titleLength, start, end, resource, language, codes = "", sections] = head;
	const content = row.slice(headEnd + 1);
	return {
		revision,
		ordinal,
		language,
		codes,
		passage: {
			title: content.slice(0, titleLength),
			text: content.slice(titleLength + 1),
			lines: { start, end },
			...readSpans(sections),
			...(resource !== "" && { resource }),
		},
	};
}

export function addressesIn(result: Table | RecordBatch): number[] {
	return Array.from(result.getChild("_rowid") ?? [], Number);
}

export function numbersIn(result: Table, column: "revision" | "ordinal"): number[] {
	return Array.from(result.getChild(column) ?? [], Number);
}
