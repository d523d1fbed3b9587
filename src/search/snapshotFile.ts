import { type FileHandle, open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { replaceFile } from "../base/files/file.ts";
import { createPacer, type Pacer } from "../base/jobs/pacer.ts";
import { ANALYZER_VERSION } from "./analyzer.ts";
import type { DocumentRows } from "./documentRows.ts";
import type { InvertedIndex, PackedPostings } from "./invertedIndex.ts";
import { createPassageTexts, createTextFile, type PassageTexts, type TextPlaces } from "./passageTexts.ts";
import {
	createColumns,
	createTypeSets,
	type RowColumns,
	readRow,
	type TypeSets,
	writeRow,
} from "./rowColumns.ts";
import { createVectorRows, type VectorRows } from "./vectorRows.ts";

interface CheckedParts {
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
	const sizes = { size: 0, terms: 0, postings: 0, textBytes: 0, typeSets: [[]] };
	return { ...sizedParts({ ...sizes, dimensions }), texts: createPassageTexts() };
}

interface Indexed extends IndexParts {
	readonly words: InvertedIndex;
	readonly documents: DocumentRows;
}

/** The visible rows, in arrays without gaps. */
export async function pack(index: Indexed): Promise<IndexParts> {
	const { documents, columns, typeSets, words, vectors, texts } = index;
	const pacer = createPacer();
	await texts.whole();
	if (documents.passages < documents.size) return packLive(index, pacer);
	// If no row was removed, only the postings have gaps.
	const postings = await words.pack((row) => row, pacer);
	return { size: documents.size, columns, typeSets, postings, texts, ...(vectors && { vectors }) };
}

async function packLive({ documents, columns, typeSets, words, vectors, texts }: Indexed, pacer: Pacer) {
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

/** Increase if the layout changes. */
const FORMAT = 6;

/** Bytes that are read or written at once. The checksum of so many bytes takes some milliseconds. */
const STEP = 2 ** 22;

export interface VectorKind {
	readonly embedder: string;
	/** 0 if there are no vectors. */
	readonly dimensions: number;
}

interface Sizes {
	readonly size: number;
	/** 0 if there are no vectors. */
	readonly dimensions: number;
	readonly typeSets: readonly (readonly string[])[];
	readonly terms: number;
	readonly postings: number;
	readonly textBytes: number;
}

interface Header extends VectorKind, Sizes {
	readonly format: number;
	readonly analyzer: number;
	readonly termBytes: number;
}

/** Resolves to whether the parts were written. If not, the next opening reads the table. */
export async function writeSnapshot(path: string, parts: IndexParts, kind: VectorKind): Promise<boolean> {
	const beside = `${path}.new`;
	try {
		await writeParts(beside, parts, kind);
		await replaceFile(beside, path);
		return true;
	} catch {
		return false;
	}
}

async function writeParts(path: string, parts: IndexParts, kind: VectorKind): Promise<void> {
	const terms = Buffer.from(parts.postings.terms.join("\n"));
	const header: Header = {
		embedder: kind.embedder,
		dimensions: kind.dimensions,
		format: FORMAT,
		analyzer: ANALYZER_VERSION,
		size: parts.size,
		typeSets: parts.typeSets.all(),
		terms: parts.postings.terms.length,
		termBytes: terms.length,
		postings: parts.postings.rows.length,
		textBytes: parts.texts.bytes,
	};
	const json = Buffer.from(JSON.stringify(header));
	await using file = await open(path, "w");
	await file.write(Uint32Array.of(json.length));
	const sum = await transfer([json, terms, ...sectionsOf(parts)], (bytes) => file.write(bytes));
	await file.write(Uint32Array.of(sum));
	for (const texts of parts.texts.parts()) await file.write(texts);
}

/** `undefined` if the file is missing, damaged or of another format. It stays open until all texts are read. */
export async function readSnapshot(path: string, kind: VectorKind): Promise<IndexParts | undefined> {
	let file: FileHandle | undefined;
	let parts: IndexParts | undefined;
	try {
		file = await open(path, "r");
		parts = await readParts(file, kind);
	} catch {
		// The file is damaged, but the table has everything.
	}
	if (!parts) await file?.close();
	return parts;
}

async function readParts(file: FileHandle, kind: VectorKind): Promise<IndexParts | undefined> {
	const lengths = new Uint32Array(1);
	await fill(file, [bytesOf(lengths)]);
	const json = Buffer.alloc(Math.min(lengths[0] ?? 0, STEP));
	const start = await fill(file, [json], lengths.byteLength);
	const header = JSON.parse(json.toString()) as Header;
	if (!isReadable(header, kind)) return undefined;
	const terms = Buffer.alloc(header.termBytes);
	const parts = sizedParts(header);
	const sections = [terms, ...sectionsOf(parts)];
	const sums = new Uint32Array(1);
	const first = await fill(file, [...sections, bytesOf(sums)], start);
	if (sums[0] !== (await transfer(sections, () => setImmediate(), crc32(json)))) return undefined;
	if ((await file.stat()).size < first + header.textBytes) return undefined;
	const words = header.terms > 0 ? terms.toString().split("\n") : [];
	const texts = createPassageTexts({ ...parts.texts, file: createTextFile(file, first) });
	return { ...parts, postings: { ...parts.postings, terms: words }, texts };
}

function isReadable({ format, analyzer, embedder, dimensions }: Header, kind: VectorKind): boolean {
	const isOurs = format === FORMAT && analyzer === ANALYZER_VERSION;
	return isOurs && embedder === kind.embedder && dimensions === kind.dimensions;
}

function sizedParts({ size, dimensions, typeSets, terms, postings, textBytes }: Sizes): PlacedParts {
	const vectors = dimensions > 0 ? createVectorRows(dimensions) : undefined;
	vectors?.resize(size);
	return {
		size,
		columns: createColumns(size),
		typeSets: createTypeSets(typeSets),
		postings: {
			terms: [],
			lengths: new Uint32Array(terms),
			rows: new Uint32Array(postings),
			counts: new Uint8Array(postings),
		},
		texts: {
			starts: new Float64Array(size),
			lengths: new Uint32Array(size),
			sums: new Uint32Array(size),
			bytes: textBytes,
		},
		...(vectors && { vectors }),
	};
}

/** Parts that the file's checksum covers. Texts have their own checksums. */
interface PlacedParts extends CheckedParts {
	readonly texts: TextPlaces;
}

function sectionsOf({ size, columns, postings, texts, vectors }: PlacedParts): Uint8Array[] {
	const { owners, ordinals, lengths, typeSets } = columns;
	return [
		postings.lengths,
		postings.rows,
		postings.counts,
		...[owners, ordinals, lengths, typeSets].map((column) => column.subarray(0, size)),
		texts.starts,
		texts.lengths,
		texts.sums,
		...(vectors?.parts() ?? []),
	].map(bytesOf);
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Moves all bytes in steps. Resolves to the checksum. */
async function transfer(
	sections: readonly Uint8Array[],
	move: (bytes: Uint8Array) => Promise<unknown>,
	start = 0,
): Promise<number> {
	let sum = start;
	for (const bytes of sections.flatMap(stepsOf)) {
		await move(bytes);
		sum = crc32(bytes, sum);
	}
	return sum;
}

/** Fills the sections in parallel, on other threads. Resolves to the end offset. Rejects if the file is too short. */
async function fill(file: FileHandle, sections: readonly Uint8Array[], start = 0): Promise<number> {
	let end = start;
	const steps = sections.flatMap(stepsOf).map(async (bytes) => {
		const place = end;
		end += bytes.length;
		const { bytesRead } = await file.read(bytes, 0, bytes.length, place);
		if (bytesRead < bytes.length) throw new Error("The file is too short.");
	});
	await Promise.all(steps);
	return end;
}

function stepsOf(bytes: Uint8Array): Uint8Array[] {
	return Array.from({ length: Math.ceil(bytes.length / STEP) }, (_, step) =>
		bytes.subarray(step * STEP, (step + 1) * STEP),
	);
}
