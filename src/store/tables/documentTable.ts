import {
	Table as ArrowTable,
	type Data,
	Field,
	Int64,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	type Table,
	Utf8,
} from "apache-arrow";
import type { Pacer } from "../../base/jobs/pacer.ts";
import type { Resource } from "../../core/knowledge/document.ts";
import { type DocumentEntry, readEntry } from "../port/documents.ts";
import type { DocumentContent, StoredDocument } from "../port/store.ts";
import { revisionColumn, textColumn, textListColumn, textsType } from "./columns.ts";
import { readQuads, writeQuads } from "./quadText.ts";

export const MANIFEST_COLUMNS = ["uri", "revision", "record"];
export const RESOURCE_COLUMNS = ["uri", "resources"];
export const STATEMENT_COLUMNS = [...RESOURCE_COLUMNS, "quads"];
export const TEXT_COLUMNS = ["uri", "text"];

/** Documents whose columns are made in one go. */
const PIECE_ROWS = 50;

interface DocumentRow {
	readonly revision: number;
	readonly document: StoredDocument;
}

/** One row is one document: writing it is what commits the document. */
export function documentSchema(metadata: ReadonlyMap<string, string>): Schema {
	return new Schema(
		[
			new Field("uri", new Utf8()),
			new Field("revision", new Int64()),
			new Field("record", new Utf8()),
			new Field("labels", textsType()),
			new Field("resources", new Utf8()),
			new Field("quads", new Utf8()),
			new Field("text", new Utf8()),
		],
		new Map(metadata),
	);
}

/** Others have their turn between pieces. */
export async function toDocumentTable(rows: readonly DocumentRow[], pacer: Pacer): Promise<Table> {
	const schema = documentSchema(new Map());
	const batches: RecordBatch[] = [];
	for (let start = 0; start < rows.length; start += PIECE_ROWS) {
		batches.push(toRecordBatch(rows.slice(start, start + PIECE_ROWS), schema));
		if (pacer.isDue) await pacer.rest();
	}
	return new ArrowTable(schema, batches);
}

function toRecordBatch(rows: readonly DocumentRow[], schema: Schema): RecordBatch {
	const texts = (pick: (document: StoredDocument) => string) =>
		textColumn(rows.map(({ document }) => pick(document)));
	const children: Data[] = [
		texts(({ record }) => record.uri),
		revisionColumn(rows),
		texts(({ record }) => JSON.stringify(record)),
		textListColumn(rows.map(({ document }) => labelsOf(document.resources))),
		texts(({ resources }) => JSON.stringify(resources)),
		texts(({ quads }) => writeQuads(quads)),
		texts(({ text = "" }) => text),
	];
	const type = new Struct(schema.fields);
	return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

export function* readManifest(result: Table): Generator<DocumentEntry> {
	const [uris, records] = [columnOf(result, "uri"), columnOf(result, "record")];
	const revisions = result.getChild("revision")?.toArray() as BigInt64Array;
	for (const [row, uri] of uris.entries()) yield readEntry(uri, Number(revisions[row]), records[row] ?? "");
}

/** The statements of the documents of a result, by URI. */
export function readStatements(result: Table): Map<string, DocumentContent> {
	const quads = columnOf(result, "quads");
	return new Map(
		readResources(result).map(({ uri, resources }, index) => [
			uri,
			{ resources, quads: readQuads(quads[index] ?? "") },
		]),
	);
}

/** The extracted texts of the documents of a result. */
export function readTexts(result: Table): string[] {
	return columnOf(result, "text");
}

export function readResources(result: Table): { uri: string; resources: Resource[] }[] {
	const uris = columnOf(result, "uri");
	return columnOf(result, "resources").map((json, index) => ({
		uri: uris[index] ?? "",
		resources: JSON.parse(json) as Resource[],
	}));
}

/** How a label is kept and looked up. */
export function labelKeyOf(label: string): string {
	return label.trim().toLowerCase();
}

function labelsOf(resources: readonly Resource[]): string[] {
	return [...new Set(resources.map(({ label }) => labelKeyOf(label)))];
}

/** Cut out of the bytes themselves: to ask the column for each text takes three times as long. */
function columnOf(result: Table, name: string): string[] {
	const texts: string[] = [];
	for (const { length, values, valueOffsets } of result.getChild(name)?.data ?? []) {
		const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
		for (let row = 0; row < length; row++)
			texts.push(bytes.toString("utf8", valueOffsets[row], valueOffsets[row + 1]));
	}
	return texts;
}
