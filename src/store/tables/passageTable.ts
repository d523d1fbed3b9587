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
import type { IndexedRow, PassageRead, PassageRow } from "../port/passageRow.ts";
import { intColumn, revisionColumn, textColumn, textListColumn, textsType } from "./columns.ts";
import { createTermTexts, type TermText } from "./termText.ts";
import { vectorColumn, vectorType } from "./vectorColumn.ts";

/** What a table has of every passage. */
export interface PassageKind {
	/** 0 where there are no vectors. */
	readonly dimensions: number;
	readonly hasTerms: boolean;
}

const termTexts = createTermTexts();

/** Rows whose columns are made in one go: a few milliseconds. */
const PIECE_ROWS = 500;

/** All that is short of a passage, as JSON before its content: a column of its own takes as long to read as a text. */
type Head = readonly [
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
const SHORT_COLUMNS = ["titleLength", "start", "end"] as const;

/** What `readPassages` reads of a table with terms, and of one without. */
export function passageColumns({ hasTerms }: Pick<PassageKind, "hasTerms">): string[] {
	return hasTerms ? ["content"] : ["revision", "ordinal", "content", ...SHORT_COLUMNS, "resource"];
}

/** Whether LanceDB can search words in a table with these columns; not in what a version made before it did. */
export function areWithTerms(columns: readonly string[]): boolean {
	return columns.includes("terms") && !columns.includes(SHORT_COLUMNS[0]);
}

/** What `readIndexed` reads; a table without an embedder has no vectors. */
export const INDEXED_COLUMNS = [...passageColumns({ hasTerms: false }), "types", "vector"];

/** How a class is kept and looked up. */
export function typeKeyOf(type: string): string {
	return type.toLowerCase();
}

/**
 * The document's URI is not here: its revision leads to it.
 * `content` is the title, a line break and the text in one, and before them the head where there are terms.
 */
export function passageSchema(
	{ dimensions, hasTerms }: PassageKind,
	metadata: ReadonlyMap<string, string>,
): Schema {
	const short = hasTerms ? [] : SHORT_COLUMNS.map((name) => new Field(name, new Int32()));
	const fields: Field<DataType>[] = [
		new Field("revision", new Int64()),
		new Field("ordinal", new Int32()),
		new Field("content", new Utf8()),
		...short,
		new Field("resource", new Utf8()),
		new Field("types", textsType()),
	];
	if (hasTerms) fields.push(new Field("terms", new Utf8()));
	if (dimensions > 0) fields.push(new Field("vector", vectorType(dimensions), true));
	return new Schema(fields, new Map(metadata));
}

/** Arrow columns out of typed arrays: rows as objects would be five times slower. Others have their turn between pieces. */
export async function toPassageTable(
	rows: readonly PassageRow[],
	kind: PassageKind,
	pacer: Pacer,
): Promise<Table> {
	const schema = passageSchema(kind, new Map());
	const batches: RecordBatch[] = [];
	for (let start = 0; start < rows.length; start += PIECE_ROWS) {
		batches.push(toRecordBatch(rows.slice(start, start + PIECE_ROWS), schema, kind));
		if (pacer.isDue) await pacer.rest();
	}
	return new Table(schema, batches);
}

function toRecordBatch(
	rows: readonly PassageRow[],
	schema: Schema,
	{ dimensions, hasTerms }: PassageKind,
): RecordBatch {
	const texts = hasTerms ? rows.map(termTexts) : undefined;
	const children: Data[] = [
		revisionColumn(rows),
		intColumn(rows, ({ ordinal }) => ordinal),
		textColumn(rows.map((row, index) => contentOf(row, texts?.[index]))),
		...(hasTerms ? [] : shortColumns(rows)),
		textColumn(rows.map(({ passage }) => passage.resource ?? "")),
		textListColumn(rows.map(({ types }) => types.flatMap(typeKeysOf))),
	];
	if (texts) children.push(textColumn(texts.map(({ terms }) => terms)));
	if (dimensions > 0) children.push(vectorColumn(rows, dimensions));
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

function shortColumns(rows: readonly PassageRow[]): Data[] {
	return [
		intColumn(rows, ({ passage }) => passage.title.length),
		intColumn(rows, ({ passage }) => passage.lines.start),
		intColumn(rows, ({ passage }) => passage.lines.end),
	];
}

/** A passage with what its text surely is in, as far as the table tells. */
type Told = PassageRead & Pick<TermText, "language">;

/** The rows of a result, in order. */
export function readPassages(result: Table): Told[] {
	const readAt = passageReader(result);
	return Array.from({ length: result.numRows }, (_, index) => readAt(index));
}

/** What is needed to find the passages of a result. */
export function* readIndexed(result: RecordBatch): Generator<IndexedRow> {
	const readAt = passageReader(result);
	const [types, vectors] = ["types", "vector"].map((name) => result.getChild(name));
	for (let index = 0; index < result.numRows; index++)
		yield {
			...readAt(index),
			types: [...(types?.get(index) ?? [])],
			vector: vectors?.get(index)?.toArray() ?? new Float32Array(),
		};
}

function passageReader(result: Table | RecordBatch): (index: number) => Told {
	const names = ["revision", "ordinal", ...SHORT_COLUMNS, "resource"];
	const [revisions, ordinals, titleLengths, starts, ends, resources] = names.map((name) =>
		result.getChild(name),
	);
	const contents = result.getChild("content");
	if (!titleLengths) return (index) => headed(String(contents?.get(index)));
	return (index) =>
		toRead(String(contents?.get(index)), [
			Number(revisions?.get(index)),
			Number(ordinals?.get(index)),
			Number(titleLengths.get(index)),
			Number(starts?.get(index)),
			Number(ends?.get(index)),
			String(resources?.get(index)),
			"",
		]);
}

/** JSON has no line break that is not escaped. */
function headed(content: string): Told {
	const end = content.indexOf("\n");
	return toRead(content.slice(end + 1), JSON.parse(content.slice(0, end)));
}

function toRead(
	content: string,
	[revision, ordinal, titleLength, start, end, resource, language]: Head,
): Told {
	return {
		revision,
		ordinal,
		language,
		passage: {
			title: content.slice(0, titleLength),
			text: content.slice(titleLength + 1),
			lines: { start, end },
			...(resource !== "" && { resource }),
		},
	};
}

/** The vectors of the rows in the order of their ordinals; zeros for a row that has none. */
export function readVectors(result: Table, dimensions: number): Float32Array {
	const vectors = new Float32Array(result.numRows * dimensions);
	const column = result.getChild("vector");
	for (const [index, ordinal] of readOrdinals(result).entries())
		vectors.set(column?.get(index)?.toArray() ?? [], ordinal * dimensions);
	return vectors;
}

/** Where LanceDB keeps the rows of a result, which was asked for them. */
export function addressesIn(result: Table | RecordBatch): number[] {
	return Array.from(result.getChild("_rowid") ?? [], Number);
}

export function readRevisions(result: Table): number[] {
	return Array.from(result.getChild("revision") ?? [], Number);
}

export function readOrdinals(result: Table): number[] {
	return Array.from(result.getChild("ordinal") ?? [], Number);
}

/** A class is found by its IRI and by its last segment. */
export function typeKeysOf(type: string): string[] {
	const key = typeKeyOf(type);
	return [key, key.slice(Math.max(key.lastIndexOf("/"), key.lastIndexOf("#")) + 1)];
}
