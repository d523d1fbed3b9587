import { makeVector, type Vector } from "apache-arrow";
import type { Snapshot } from "../database/database.ts";
import { runQuery } from "../tables/query.ts";
import { toSingles } from "../tables/vectorColumn.ts";

/** Passages that stand for all, and how many of them are neighbours: these are read at once. */
const SAMPLE_ROWS = 128;
const RUN = 4;

/** The part by which an index may grow or shrink until there is another sample. */
const MUCH = 0.1;

/** Tells what is typical of the passages. */
export type SampleReader<Told> = (snapshot: Snapshot) => Promise<Told>;

/** How many terms a passage has, on average; those of a mark are counted as LanceDB counts them. */
export function createLengthReader(): SampleReader<number> {
	return createSampleReader("terms", (texts) => {
		const lengths = Array.from(texts, (terms) => String(terms).split(" ").length);
		return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
	});
}

/** The median of the cosines with a vector; 0 where there is none. Where there are vectors. */
export function createCosineReader(): SampleReader<(vector: Float32Array) => number> {
	return createSampleReader("vector", (found) => {
		const vectors: Float32Array[] = Array.from(found, (vector) =>
			toSingles(vector?.toArray() ?? new Float32Array()).slice(),
		);
		return (vector) =>
			Float32Array.from(vectors, (other) => cosineOf(vector, other)).sort()[vectors.length >> 1] ?? 0;
	});
}

/** Read once for an index of about that size, and when it is asked for: the first answer waits for it. */
function createSampleReader<Told>(
	column: "terms" | "vector",
	tell: (values: Vector) => Told,
): SampleReader<Told> {
	let last: { readonly passages: number; readonly told: Promise<Told> } | undefined;
	return (snapshot) => {
		const { passages } = snapshot.manifest;
		if (!last || Math.abs(passages - last.passages) > MUCH * last.passages)
			last = { passages, told: readSample(snapshot, column).then(tell) };
		return last.told;
	};
}

async function readSample({ tables: { passages: table } }: Snapshot, column: string): Promise<Vector> {
	const rows = await table.countRows();
	const count = Math.min(rows, SAMPLE_ROWS);
	const offsets = Array.from({ length: count }, (_, index) => {
		const at = index % RUN;
		return Math.min(rows - 1, Math.floor(((index - at) * rows) / count) + at);
	});
	const result = await runQuery(table.takeOffsets(offsets).select([column]));
	return result.getChild(column) ?? makeVector(new Uint8Array());
}

/** Of unit vectors. */
export function cosineOf(vector: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (other[at] as number);
	return sum;
}
