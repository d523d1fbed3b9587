import type { RecordBatch, Schema, Table } from "apache-arrow";
import type { Pacer } from "../../base/jobs/pacer.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import { readSpans, type StoredSpan, storeSpans } from "../../core/knowledge/section.ts";
import { createAnalyzer, isMark } from "../../search/analyzer.ts";
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

const termTexts = createTermTexts();

const NO_VECTOR = new Float32Array();

/** Rows whose columns are made in one go: a few milliseconds. */
const PIECE_ROWS = 500;

/** All short fields of a passage, as JSON before its content: a separate column takes as long to read as a text. */
type Head = readonly [
	revision: number,
	ordinal: number,
	titleLength: number,
	start: number,
	end: number,
	resource: string,
	/** The language of its text; empty if uncertain. */
	language: string,
	/** The codes of its vector in base64, if LanceDB searches: reading two columns takes twice as long as one. */
	codes?: string,
	/** Not in rows of older versions. */
	sections?: readonly StoredSpan[] | undefined,
];

type Column = TableColumn<PreparedRow>;

interface PreparedRow {
	readonly row: PassageRow;
	readonly said: TermText;
}

/** What LanceDB's full-text index has of a passage: our own terms, as memory has them, and what surely is its language. */
interface TermText {
	/** Each as often as it occurs, separated by spaces; the mark of the language is one of them. */
	readonly terms: string;
	/** Empty if uncertain. */
	readonly language: string;
}

type Counted = NonNullable<PassageRow["terms"]>;

const PLACE: readonly Column[] = [
	revisions(({ row }) => row.revision),
	integers("ordinal", ({ row }) => row.ordinal),
];

/** The document's URI is not here: its revision leads to it. */
function commonColumns(hasCodes: boolean): Column[] {
	return [
		...PLACE,
		contentColumn(hasCodes),
		texts("resource", ({ row }) => row.passage.resource ?? ""),
		textLists("types", ({ row }) => row.types.flatMap(typeKeysOf)),
	];
}

/** The head, the title and the text in one, with line breaks between them. */
function contentColumn(hasCodes: boolean): Column {
	return texts("content", (prepared) => contentOf(prepared, hasCodes));
}

function searchedColumns(dimensions: number): Column[] {
	const terms: Column = texts("terms", ({ said }) => said.terms, dimensions > 0);
	return dimensions > 0 ? [terms, vectors("vector", dimensions, vectorOf, HALVES)] : [terms];
}

function vectorOf({ row }: PreparedRow): Float32Array {
	return row.vector;
}

/** A row has codes, or else what LanceDB searches, which takes twice as much of the disk. */
export function passageSchema(dimensions: number, metadata: ReadonlyMap<string, string>): Schema {
	const codes = dimensions > 0 ? [vectors("codes", dimensions, vectorOf, CODES)] : [];
	const columns = [...commonColumns(false), ...codes, ...searchedColumns(dimensions)];
	return schemaOf(columns, metadata);
}

export function toPassageTable(
	rows: readonly PassageRow[],
	{ isCompact, dimensions }: { readonly isCompact: boolean; readonly dimensions: number },
	pacer: Pacer,
): Promise<Table> {
	const searched = isCompact ? [vectors("codes", dimensions, vectorOf, CODES)] : searchedColumns(dimensions);
	const common = commonColumns(dimensions > 0 && !isCompact);
	return toTable(rows, [...common, ...searched], pacer);
}

/** What compact rows lack, by their revisions and ordinals; their codes go into their contents. */
export function toCompletion(rows: readonly PassageRow[], dimensions: number, pacer: Pacer): Promise<Table> {
	const codes: Column = vectors("codes", dimensions, () => NO_VECTOR, CODES);
	return toTable(rows, [...PLACE, contentColumn(true), codes, ...searchedColumns(dimensions)], pacer);
}

function toTable(rows: readonly PassageRow[], columns: readonly Column[], pacer: Pacer): Promise<Table> {
	const prepare = (row: PassageRow) => ({ row, said: termTexts(row) });
	return tableInPieces(rows, { columns, pieceRows: PIECE_ROWS, prepare }, pacer);
}

function contentOf({ row, said: { language } }: PreparedRow, hasCodes: boolean): string {
	const { revision, ordinal, passage, vector } = row;
	const { title, lines, resource = "" } = passage;
	const content = `${title}\n${passage.text}`;
	const place = [title.length, lines.start, lines.end] as const;
	const codes = hasCodes ? writeCodes(vector) : "";
	const sections = storeSpans(passage.sections);
	const head: Head = [revision, ordinal, ...place, resource, language, codes, sections];
	return `${JSON.stringify(head)}\n${content}`;
}

/** Counts the terms of passages for which no parser did. */
function createTermTexts(): (row: PassageRow) => TermText {
	const analyzer = createAnalyzer();
	return ({ passage, terms: counted }) => {
		const terms = counted ? termsIn(counted) : analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
		return {
			language: terms.findLast(isMark)?.slice(1) ?? "",
			get terms() {
				return (counted ? repeated(terms, counted) : terms).join(" ");
			},
		};
	};
}

function termsIn({ vocabulary, numbers }: Counted): string[] {
	return Array.from(numbers, (number) => vocabulary[number] ?? "");
}

function repeated(terms: readonly string[], { counts }: Counted): string[] {
	return terms.flatMap((term, place) => Array<string>(counts[place] ?? 0).fill(term));
}

export const PASSAGE_COLUMNS = ["content"];

/** What `readIndexed` reads; a table without an embedder has no vectors. */
export const INDEXED_COLUMNS = [...PASSAGE_COLUMNS, "types", "codes", "vector"];

/** A passage with its certain language and the codes of its vector, as far as its content has them. */
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
	for (let index = 0; index < result.numRows; index++)
		yield {
			...toRead(String(contents?.get(index))),
			types: [...(types?.get(index) ?? [])],
			vector: vectorAt(index) ?? new Float32Array(),
		};
}

/** JSON has no line break that is not escaped. */
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

/** Where LanceDB keeps the rows of a result, which was asked for them. */
export function addressesIn(result: Table | RecordBatch): number[] {
	return Array.from(result.getChild("_rowid") ?? [], Number);
}

export function numbersIn(result: Table, column: "revision" | "ordinal"): number[] {
	return Array.from(result.getChild(column) ?? [], Number);
}
