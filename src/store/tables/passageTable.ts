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
import { createTermTexts } from "./termText.ts";
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

/** What `readPassages` reads. */
export const PASSAGE_COLUMNS = ["revision", "ordinal", "content", "titleLength", "start", "end", "resource"];

/** What LanceDB searches words in. Tables that were made before it did have no such columns. */
export const TERM_COLUMNS = ["terms", "language"] as const;

/** What `readIndexed` reads; a table without an embedder has no vectors. */
export const INDEXED_COLUMNS = [...PASSAGE_COLUMNS, "types", "vector"];

/** How a class is kept and looked up. */
export function typeKeyOf(type: string): string {
	return type.toLowerCase();
}

/**
 * The document's URI is not here: its revision leads to it.
 * `content` is the title, a line break and the text in one, so that one full-text index holds both.
 */
export function passageSchema(
	{ dimensions, hasTerms }: PassageKind,
	metadata: ReadonlyMap<string, string>,
): Schema {
	const fields: Field<DataType>[] = [
		new Field("revision", new Int64()),
		new Field("ordinal", new Int32()),
		new Field("content", new Utf8()),
		new Field("titleLength", new Int32()),
		new Field("start", new Int32()),
		new Field("end", new Int32()),
		new Field("resource", new Utf8()),
		new Field("types", textsType()),
	];
	if (hasTerms) fields.push(...TERM_COLUMNS.map((name) => new Field(name, new Utf8())));
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
	const children: Data[] = [
		revisionColumn(rows),
		intColumn(rows, ({ ordinal }) => ordinal),
		textColumn(rows.map(({ passage }) => `${passage.title}\n${passage.text}`)),
		intColumn(rows, ({ passage }) => passage.title.length),
		intColumn(rows, ({ passage }) => passage.lines.start),
		intColumn(rows, ({ passage }) => passage.lines.end),
		textColumn(rows.map(({ passage }) => passage.resource ?? "")),
		textListColumn(rows.map(({ types }) => types.flatMap(typeKeysOf))),
	];
	if (hasTerms) children.push(...termColumns(rows));
	if (dimensions > 0) children.push(vectorColumn(rows, dimensions));
	const type = new Struct(schema.fields);
	return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

function termColumns(rows: readonly PassageRow[]): Data[] {
	const found = rows.map(termTexts);
	return TERM_COLUMNS.map((name) => textColumn(found.map((row) => row[name])));
}

/** The rows of a result, in order. */
export function readPassages(result: Table): PassageRead[] {
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

function passageReader(result: Table | RecordBatch): (index: number) => PassageRead {
	const columns = PASSAGE_COLUMNS.map((name) => result.getChild(name));
	const [revisions, ordinals, contents, titleLengths, starts, ends, resources] = columns;
	return (index) => {
		const content = String(contents?.get(index));
		const titleLength = Number(titleLengths?.get(index));
		const resource = String(resources?.get(index));
		return {
			revision: Number(revisions?.get(index)),
			ordinal: Number(ordinals?.get(index)),
			passage: {
				title: content.slice(0, titleLength),
				text: content.slice(titleLength + 1),
				lines: { start: Number(starts?.get(index)), end: Number(ends?.get(index)) },
				...(resource !== "" && { resource }),
			},
		};
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
export function addressesIn(result: Table): number[] {
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
