import type { RecordBatch, Table } from "apache-arrow";
import type { IndexedRow, PassageRead } from "../port/passageRow.ts";
import { type Head, type PassageKind, SHORT_COLUMNS } from "./passageLayout.ts";
import type { TermText } from "./termText.ts";
import { vectorReader } from "./vectorColumn.ts";

/** What `readPassages` reads of a table with terms, and of one without. */
export function passageColumns({ hasTerms }: Pick<PassageKind, "hasTerms">): string[] {
	return hasTerms ? ["content"] : ["revision", "ordinal", "content", ...SHORT_COLUMNS, "resource"];
}

/** What a table has of passages, by the names of its columns. */
export function traitsOf(columns: readonly string[]): Pick<PassageKind, "hasTerms" | "hasCompact"> {
	const hasTerms = columns.includes("terms") && !columns.includes(SHORT_COLUMNS[0]);
	return { hasTerms, hasCompact: hasTerms && columns.includes("codes") };
}

/** What `vectorReader` reads of rows in either form. */
export function vectorColumns({ hasCompact }: Pick<PassageKind, "hasCompact">): string[] {
	return hasCompact ? ["codes", "vector"] : ["vector"];
}

/** What `readIndexed` reads; a table without an embedder has no vectors. */
export const INDEXED_COLUMNS = [
	...passageColumns({ hasTerms: false }),
	"types",
	...vectorColumns({ hasCompact: true }),
];

/** A passage with what its text surely is in, and with the codes of its vector, as far as its content tells. */
type Told = PassageRead & Pick<TermText, "language"> & { readonly codes: string };

/** The rows of a result, in order. */
export function readPassages(result: Table): Told[] {
	const readAt = passageReader(result);
	return Array.from({ length: result.numRows }, (_, index) => readAt(index));
}

/** What is needed to find the passages of a result. */
export function* readIndexed(result: RecordBatch): Generator<IndexedRow> {
	const readAt = passageReader(result);
	const types = result.getChild("types");
	const vectorAt = vectorReader(result);
	for (let index = 0; index < result.numRows; index++)
		yield {
			...readAt(index),
			types: [...(types?.get(index) ?? [])],
			vector: vectorAt(index) ?? new Float32Array(),
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
	[revision, ordinal, titleLength, start, end, resource, language, codes = ""]: Head,
): Told {
	return {
		revision,
		ordinal,
		language,
		codes,
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
	const vectorAt = vectorReader(result);
	for (const [index, ordinal] of readOrdinals(result).entries())
		vectors.set(vectorAt(index) ?? [], ordinal * dimensions);
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
