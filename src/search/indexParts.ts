import { createPacer, type Pacer } from "../base/jobs/pacer.ts";
import type { DocumentRows } from "./documentRows.ts";
import { type InvertedIndex, NO_POSTINGS, type PackedPostings } from "./invertedIndex.ts";
import { createPassageTexts, type PassageTexts } from "./passageTexts.ts";
import {
	createColumns,
	createTypeSets,
	type RowColumns,
	readRow,
	type TypeSets,
	writeRow,
} from "./rowColumns.ts";
import { createVectorRows, type VectorRows } from "./vectorRows.ts";

export interface CheckedParts {
	readonly size: number;
	readonly columns: RowColumns;
	readonly typeSets: TypeSets;
	readonly postings: PackedPostings;
	/** Absent in an index without vectors. */
	readonly vectors?: VectorRows;
}

export interface IndexParts extends CheckedParts {
	readonly texts: PassageTexts;
}

export function emptyParts(dimensions: number): IndexParts {
	return {
		size: 0,
		columns: createColumns(0),
		typeSets: createTypeSets([[]]),
		postings: NO_POSTINGS,
		texts: createPassageTexts(),
		...(dimensions > 0 && { vectors: createVectorRows(dimensions) }),
	};
}

interface Indexed extends IndexParts {
	readonly words: InvertedIndex;
	readonly documents: DocumentRows;
}

/** What is shown, in arrays without gaps. */
export async function pack(index: Indexed): Promise<IndexParts> {
	const { documents, columns, typeSets, words, vectors, texts } = index;
	const pacer = createPacer();
	await texts.whole();
	if (documents.passages < documents.size) return packLive(index, pacer);
	// Nothing is gone: only the postings have gaps.
	const postings = await words.pack((row) => row, pacer);
	return { size: documents.size, columns, typeSets, postings, texts, ...(vectors && { vectors }) };
}

async function packLive(
	{ documents, columns, typeSets, words, vectors, texts }: Indexed,
	pacer: Pacer,
): Promise<IndexParts> {
	const packed = {
		columns: createColumns(documents.passages),
		typeSets: createTypeSets([[]]),
		texts: createPassageTexts(),
	};
	const packedVectors = vectors && createVectorRows(vectors.dimensions);
	const numbers = new Uint32Array(documents.size);
	let size = 0;
	for (let row = 0; row < numbers.length; row++) {
		if (documents.live[row] !== 1) continue;
		if (pacer.isDue) await pacer.rest();
		const facts = readRow(columns, row);
		const typeSet = packed.typeSets.add(typeSets.all()[facts.typeSet] ?? []);
		writeRow(packed.columns, size, { ...facts, typeSet });
		packed.texts.copy(texts, row);
		if (vectors) packedVectors?.copy(vectors, row);
		numbers[row] = size++;
	}
	const kept = (row: number) => (documents.live[row] === 1 ? numbers[row] : undefined);
	const postings = await words.pack(kept, pacer);
	return { ...packed, size, postings, ...(packedVectors && { vectors: packedVectors }) };
}
