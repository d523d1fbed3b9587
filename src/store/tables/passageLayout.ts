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
import {
	CODES,
	HALVES,
	SINGLES,
	type VectorForm,
	vectorColumn,
	vectorType,
	writeCodes,
} from "./vectorColumn.ts";

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
	/** The codes of its vector in base64, where LanceDB searches: to read two columns takes twice as long as one. */
	codes?: string,
];

/** What the first versions had in the place of a head. */
export const SHORT_COLUMNS = ["titleLength", "start", "end"] as const;

/** What the contents of rows have before their texts. */
interface ContentKind extends Pick<PassageKind, "hasTerms"> {
	readonly hasCodes: boolean;
}

/** A column, and how it is made of rows. */
interface Column {
	readonly field: Field<DataType>;
	readonly dataOf: (rows: readonly PassageRow[], texts: readonly TermText[]) => Data;
}

/** The document's URI is not here: its revision leads to it. */
function commonColumns(kind: ContentKind): Column[] {
	return [
		...placeColumns(),
		contentColumn(kind),
		...(kind.hasTerms ? [] : shortColumns()),
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

/** The title, a line break and the text in one, and before them the head where there are terms. */
function contentColumn({ hasTerms, hasCodes }: ContentKind): Column {
	return {
		field: new Field("content", new Utf8()),
		dataOf: (rows, texts) =>
			textColumn(rows.map((row, index) => contentOf(row, hasTerms ? texts[index] : undefined, hasCodes))),
	};
}

function placeColumns(): Column[] {
	return [
		{ field: new Field("revision", new Int64()), dataOf: revisionColumn },
		intOf("ordinal", ({ ordinal }) => ordinal),
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
	const common = commonColumns({ ...kind, hasCodes: false });
	const columns = [...common, ...codes, ...searchedColumns(kind)];
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
	const common = commonColumns({ ...kind, hasCodes: kind.hasCompact && !isCompact });
	return toTable(rows, [...common, ...searched], pacer);
}

/** What compact rows lack, by their revisions and ordinals; their codes go into their contents. */
export function toCompletion(rows: readonly PassageRow[], kind: PassageKind, pacer: Pacer): Promise<Table> {
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
	const content = contentColumn({ ...kind, hasCodes: true });
	return toTable(rows, [...placeColumns(), content, codes, ...searchedColumns(kind)], pacer);
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

function contentOf(
	{ revision, ordinal, passage, vector }: PassageRow,
	text: TermText | undefined,
	hasCodes: boolean,
): string {
	const { title, lines, resource = "" } = passage;
	const content = `${title}\n${passage.text}`;
	if (!text) return content;
	const { language } = text;
	const head: Head = [revision, ordinal, title.length, lines.start, lines.end, resource, language];
	return `${JSON.stringify(hasCodes ? [...head, writeCodes(vector)] : head)}\n${content}`;
}
