import type { RecordBatch, Table } from "apache-arrow";
import type { Passage } from "../../core/knowledge/document.ts";
import { readSpans } from "../../core/knowledge/section.ts";
import type { PassageRow, PlaceRef } from "../../search/rowColumns.ts";
import { vectorReader } from "./columns.ts";
import type { Head } from "./passageLayout.ts";

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
