import {
	type Data,
	type DataType,
	Field,
	Int32,
	Int64,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	Utf8,
} from "apache-arrow";
import type { Pacer } from "../../base/jobs/pacer.ts";
import type { PassageRow } from "../port/passageRow.ts";
import { intColumn, revisionColumn, textColumn, textListColumn, textsType } from "./columns.ts";
import { createTermTexts, type TermText } from "./termText.ts";
import { typeKeysOf } from "./typeKeys.ts";
import { CODES, HALVES, SINGLES, type VectorForm, vectorColumn, vectorType } from "./vectorColumn.ts";

/** What a table has of every passage. */
export interface PassageKind {
	/** 0 where there are no vectors. */
	readonly dimensions: number;
	/** Not in tables that the first versions made. */
	readonly hasTerms: boolean;
	/** Whether rows may be compact; not in tables that older versions made, nor without vectors. */
	readonly hasCompact: boolean;
}

const termTexts = createTermTexts();

const NO_VECTOR = { vector: new Float32Array() };

/** Rows whose columns are made in one go: a few milliseconds. */
const PIECE_ROWS = 500;

/** All that is short of a passage, as JSON before its content: a column of its own takes as long to read as a text. */
export type Head = readonly [
	revision: number,
	ordinal: number,
	titleLength: number,
	start: number,
	end: number,
	resource: string,
	/** What its text surely is in; empty where that is not sure. */
	language: string,
];

/** What the first versions had in the place of a head. */
export const SHORT_COLUMNS = ["titleLength", "start", "end"] as const;

/** A column, and how it is made of rows. */
interface Column {
	readonly field: Field<DataType>;
	readonly dataOf: (rows: readonly PassageRow[], texts: readonly TermText[]) => Data;
}

/**
 * The document's URI is not here: its revision leads to it.
 * `content` is the title, a line break and the text in one, and before them the head where there are terms.
 */
function commonColumns({ hasTerms }: Pick<PassageKind, "hasTerms">): Column[] {
	const contents: Column["dataOf"] = (rows, texts) =>
		textColumn(rows.map((row, index) => contentOf(row, hasTerms ? texts[index] : undefined)));
	return [
		{ field: new Field("revision", new Int64()), dataOf: revisionColumn },
		intOf("ordinal", ({ ordinal }) => ordinal),
		{ field: new Field("content", new Utf8()), dataOf: contents },
		...(hasTerms ? [] : shortColumns()),
		{
			field: new Field("resource", new Utf8()),
			dataOf: (rows) => textColumn(rows.map(({ passage }) => passage.resource ?? "")),
		},
		{
			field: new Field("types", textsType()),
			dataOf: (rows) => textListColumn(rows.map(({ types }) => types.flatMap(typeKeysOf))),
		},
	];
}

function intOf(name: string, pick: (row: PassageRow) => number): Column {
	return { field: new Field(name, new Int32()), dataOf: (rows) => intColumn(rows, pick) };
}

function shortColumns(): Column[] {
	const [titleLength, start, end] = SHORT_COLUMNS;
	return [
		intOf(titleLength, ({ passage }) => passage.title.length),
		intOf(start, ({ passage }) => passage.lines.start),
		intOf(end, ({ passage }) => passage.lines.end),
	];
}

/** What LanceDB searches. */
function searchedColumns({ dimensions, hasTerms, hasCompact }: PassageKind): Column[] {
	const terms: Column = {
		field: new Field("terms", new Utf8(), hasCompact),
		dataOf: (_, texts) => textColumn(texts.map(({ terms }) => terms)),
	};
	return [
		...(hasTerms ? [terms] : []),
		...(dimensions > 0 ? [vectorOf("vector", dimensions, hasCompact ? HALVES : SINGLES)] : []),
	];
}

function vectorOf(name: string, dimensions: number, form: VectorForm): Column {
	return {
		field: new Field(name, vectorType(dimensions, form), true),
		dataOf: (rows) => vectorColumn(rows, dimensions, form),
	};
}

/** A row has codes, or else what LanceDB searches, which takes twice as much of the disk. */
export function passageSchema(kind: PassageKind, metadata: ReadonlyMap<string, string>): Schema {
	const codes = kind.hasCompact ? [vectorOf("codes", kind.dimensions, CODES)] : [];
	const columns = [...commonColumns(kind), ...codes, ...searchedColumns(kind)];
	return new Schema(fieldsOf(columns), new Map(metadata));
}

function fieldsOf(columns: readonly Column[]): Field<DataType>[] {
	return columns.map(({ field }) => field);
}

/** The columns of new rows. Others have their turn between pieces. */
export function toPassageTable(
	rows: readonly PassageRow[],
	{ isCompact, ...kind }: PassageKind & { readonly isCompact: boolean },
	pacer: Pacer,
): Promise<Table> {
	const searched = isCompact ? [vectorOf("codes", kind.dimensions, CODES)] : searchedColumns(kind);
	return toTable(rows, [...commonColumns(kind), ...searched], pacer);
}

/** What compact rows lack, by their revisions and ordinals; their codes go. */
export function toCompletion(rows: readonly PassageRow[], kind: PassageKind, pacer: Pacer): Promise<Table> {
	const [revision, ordinal] = commonColumns(kind) as [Column, Column];
	const { field } = vectorOf("codes", kind.dimensions, CODES);
	const codes: Column = {
		field,
		dataOf: (piece) =>
			vectorColumn(
				piece.map(() => NO_VECTOR),
				kind.dimensions,
				CODES,
			),
	};
	return toTable(rows, [revision, ordinal, codes, ...searchedColumns(kind)], pacer);
}

/** Out of typed arrays: rows as objects would be five times slower. */
async function toTable(
	rows: readonly PassageRow[],
	columns: readonly Column[],
	pacer: Pacer,
): Promise<Table> {
	const schema = new Schema(fieldsOf(columns));
	const batches: RecordBatch[] = [];
	for (let start = 0; start < rows.length; start += PIECE_ROWS) {
		batches.push(toRecordBatch(rows.slice(start, start + PIECE_ROWS), columns, schema));
		if (pacer.isDue) await pacer.rest();
	}
	return new Table(schema, batches);
}

function toRecordBatch(rows: readonly PassageRow[], columns: readonly Column[], schema: Schema): RecordBatch {
	// Where there is no column for them, nobody looks for terms.
	const texts = rows.map(termTexts);
	const children = columns.map(({ dataOf }) => dataOf(rows, texts));
	const type = new Struct(schema.fields);
	return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

function contentOf({ revision, ordinal, passage }: PassageRow, text: TermText | undefined): string {
	const { title, lines, resource = "" } = passage;
	const content = `${title}\n${passage.text}`;
	if (!text) return content;
	const head: Head = [revision, ordinal, title.length, lines.start, lines.end, resource, text.language];
	return `${JSON.stringify(head)}\n${content}`;
}
