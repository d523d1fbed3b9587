import type { Schema, Table } from "apache-arrow";
import type { Resource } from "../../core/knowledge/document.ts";
import {
	idOf,
	isSubject,
	literal,
	type Quad,
	type Subject,
	subjectOf,
	type Term,
} from "../../core/knowledge/rdf.ts";
import { type DocumentContent, type DocumentEntry, readEntry, type StoredDocument } from "../port/store.ts";
import { type Column, revisions, schemaOf, tableInPieces, textLists, texts } from "./columns.ts";

export const MANIFEST_COLUMNS = ["uri", "revision", "record"];
export const RESOURCE_COLUMNS = ["uri", "resources"];
export const STATEMENT_COLUMNS = [...RESOURCE_COLUMNS, "quads"];

const PIECE_ROWS = 50;

export interface DocumentRow {
	readonly revision: number;
	readonly document: StoredDocument;
}

const COLUMNS: readonly Column<DocumentRow>[] = [
	texts("uri", ({ document }) => document.record.uri),
	revisions(({ revision }) => revision),
	texts("record", ({ document }) => JSON.stringify(document.record)),
	textLists("labels", ({ document }) => [
		...new Set(document.resources.map(({ label }) => labelKeyOf(label))),
	]),
	texts("resources", ({ document }) => JSON.stringify(document.resources)),
	texts("quads", ({ document }) => writeQuads(document.quads)),
	texts("text", ({ document }) => document.text ?? ""),
];

export function documentSchema(metadata: ReadonlyMap<string, string>): Schema {
	return schemaOf(COLUMNS, metadata);
}

export function toDocumentTable(rows: readonly DocumentRow[]): Promise<Table> {
	return tableInPieces(rows, COLUMNS, PIECE_ROWS, (row) => row);
}

export function* readManifest(result: Table): Generator<DocumentEntry> {
	const [uris, records] = [readColumn(result, "uri"), readColumn(result, "record")];
	const revisions = result.getChild("revision")?.toArray() as BigInt64Array;
	for (const [row, uri] of uris.entries()) yield readEntry(uri, Number(revisions[row]), records[row] ?? "");
}

export function readStatements(result: Table): Map<string, DocumentContent> {
	const quads = readColumn(result, "quads");
	const toEntry = ({ uri, resources }: { uri: string; resources: Resource[] }, index: number) =>
		[uri, { resources, quads: readQuads(quads[index] ?? "") }] as const;
	return new Map(readResources(result).map(toEntry));
}

export function readResources(result: Table): { uri: string; resources: Resource[] }[] {
	const uris = readColumn(result, "uri");
	return readColumn(result, "resources").map((json, index) => {
		return { uri: uris[index] ?? "", resources: JSON.parse(json) as Resource[] };
	});
}

export function labelKeyOf(label: string): string {
	return label.trim().toLowerCase();
}

/** Decodes texts from the column's bytes, because asking the column for each text takes three times as long. */
export function readColumn(result: Table, name: string): string[] {
	const texts: string[] = [];
	for (const { length, values, valueOffsets } of result.getChild(name)?.data ?? []) {
		const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
		for (let row = 0; row < length; row++)
			texts.push(bytes.toString("utf8", valueOffsets[row], valueOffsets[row + 1]));
	}
	return texts;
}

/** A tuple is a literal; a string is an IRI or a blank node (with its `_:`). */
type PackedTerm = string | readonly [value: string, datatype: string, language?: string];

/** Numbers are indexes in `terms`; -1 represents the default graph. */
type PackedQuad = readonly [
	subject: number,
	predicate: number,
	object: number,
	graph: number,
	start: number,
	end: number,
];

interface Packed {
	readonly terms: readonly PackedTerm[];
	readonly quads: readonly PackedQuad[];
}

export function writeQuads(quads: readonly Quad[]): string {
	const places = new Map<string, number>();
	const terms: PackedTerm[] = [];
	const packed = quads.map(
		({ subject, predicate, object, graph, lines }): PackedQuad => [
			placeOf(subject),
			placeOf(predicate),
			placeOf(object),
			graph ? placeOf(graph) : -1,
			lines.start,
			lines.end,
		],
	);
	return JSON.stringify({ terms, quads: packed } satisfies Packed);

	function placeOf(term: Term): number {
		const packedTerm = packTerm(term);
		const key = typeof packedTerm === "string" ? packedTerm : JSON.stringify(packedTerm);
		const known = places.get(key);
		if (known !== undefined) return known;
		places.set(key, terms.length);
		return terms.push(packedTerm) - 1;
	}
}

export function readQuads(text: string): Quad[] {
	const { terms, quads } = JSON.parse(text) as Packed;
	const unpacked = terms.map((term) => (typeof term === "string" ? subjectOf(term) : literal(...term)));
	return quads.map(([subject, predicate, object, graph, start, end]) => ({
		subject: unpacked[subject] as Subject,
		predicate: unpacked[predicate] as Quad["predicate"],
		object: unpacked[object] as Term,
		...(graph >= 0 && { graph: unpacked[graph] as Subject }),
		lines: { start, end },
	}));
}

function packTerm(term: Term): PackedTerm {
	if (isSubject(term)) return idOf(term);
	return term.language ? [term.value, term.datatype, term.language] : [term.value, term.datatype];
}
